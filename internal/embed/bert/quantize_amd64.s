#include "textflag.h"

DATA steps<>+0(SB)/4, $255.0
GLOBL steps<>(SB), RODATA|NOPTR, $4

// Undoes how packing by halves of a register orders four of them.
DATA order<>+0(SB)/8, $0x0000000400000000
DATA order<>+8(SB)/8, $0x0000000500000001
DATA order<>+16(SB)/8, $0x0000000600000002
DATA order<>+24(SB)/8, $0x0000000700000003
GLOBL order<>(SB), RODATA|NOPTR, $32

// FOLD reduces the eight lanes of Y to one in all of X, by op.
#define FOLD(op, y, x) \
	VEXTRACTF128 $1, y, X4   \
	op           X4, x, x    \
	VPSHUFD      $0x4E, x, X4 \
	op           X4, x, x    \
	VPSHUFD      $0xB1, x, X4 \
	op           X4, x, x

#define CONVERT(off, y) \
	VMOVUPS   off(SI)(AX*4), y     \
	VMULPS    off(BX)(AX*4), y, y  \
	VMULPS    Y12, y, y            \
	VCVTPS2DQ y, y                 \
	VPADDD    Y13, y, y

// func quantizeAVX2(to *uint8, from, factors *float32, n int) (scale float32, zero int32)
TEXT ·quantizeAVX2(SB), NOSPLIT, $0-40
	MOVQ to+0(FP), DI
	MOVQ from+8(FP), SI
	MOVQ factors+16(FP), BX
	MOVQ n+24(FP), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	XORQ AX, AX

extremes:
	VMOVUPS (SI)(AX*4), Y2
	VMULPS (BX)(AX*4), Y2, Y2
	VMINPS Y2, Y0, Y0
	VMAXPS Y2, Y1, Y1
	ADDQ $8, AX
	CMPQ AX, CX
	JLT  extremes

	FOLD(VMINPS, Y0, X0)
	FOLD(VMAXPS, Y1, X1)
	VSUBSS X0, X1, X1
	VMOVSS steps<>(SB), X5
	VDIVSS X5, X1, X6
	VMOVSS X6, scale+32(FP)
	VXORPS X6, X6, X6
	VUCOMISS X6, X1
	JEQ flat
	VDIVSS X1, X5, X6

flat:
	// X6 is the steps per unit; a row of zeros has none.
	VMULSS X0, X6, X0
	VCVTSS2SI X0, AX
	NEGL AX
	MOVL AX, zero+36(FP)
	VMOVD AX, X13
	VPBROADCASTD X13, Y13
	VBROADCASTSS X6, Y12
	VMOVDQU order<>(SB), Y14
	XORQ AX, AX

next:
	CONVERT(0, Y0)
	CONVERT(32, Y1)
	CONVERT(64, Y2)
	CONVERT(96, Y3)
	VPACKSSDW Y1, Y0, Y0
	VPACKSSDW Y3, Y2, Y2
	VPACKUSWB Y2, Y0, Y0
	VPERMD Y0, Y14, Y0
	VMOVDQU Y0, (DI)(AX*1)
	ADDQ $32, AX
	CMPQ AX, CX
	JLT  next
	VZEROUPPER
	RET
