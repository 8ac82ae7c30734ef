#include "textflag.h"
#include "exp_amd64.h"

DATA geluTable<>+0(SB)/4, $0x7FFFFFFF
DATA geluTable<>+4(SB)/4, $0.7071067811865476
DATA geluTable<>+8(SB)/4, $0.3275911
DATA geluTable<>+12(SB)/4, $1.0
DATA geluTable<>+16(SB)/4, $0.530702714500 // half of 1.061405429
DATA geluTable<>+20(SB)/4, $-0.7265760135
DATA geluTable<>+24(SB)/4, $0.7107068705
DATA geluTable<>+28(SB)/4, $-0.142248368
DATA geluTable<>+32(SB)/4, $0.127414796
GLOBL geluTable<>(SB), RODATA|NOPTR, $36

// func geluAVX2(row *float32, n int)
//
// gelu(x) = max(x, 0) - |x| erfc(|x|/sqrt 2)/2, and with z = |x|/sqrt 2,
// t = 1/(1 + pz): erfc(z) = (a1 t + ... + a5 t^5) e^(-z^2), Abramowitz and
// Stegun, formula 7.1.26, where the error of erfc is below 1.5e-7. The
// table has the a's halved.
TEXT ·geluAVX2(SB), NOSPLIT, $0-16
	MOVQ row+0(FP), DI
	MOVQ n+8(FP), CX
	EXPCONSTANTS
	XORQ AX, AX

next:
	VMOVUPS (DI)(AX*4), Y7
	VBROADCASTSS geluTable<>+0(SB), Y1
	VANDPS Y1, Y7, Y6
	VBROADCASTSS geluTable<>+4(SB), Y1
	VMULPS Y1, Y6, Y4
	VMULPS Y4, Y4, Y0
	VXORPS Y1, Y1, Y1
	VMAXPS Y1, Y7, Y7
	VSUBPS Y0, Y1, Y0
	EXP
	VBROADCASTSS geluTable<>+8(SB), Y1
	VBROADCASTSS geluTable<>+12(SB), Y3
	VFMADD213PS Y3, Y1, Y4
	VDIVPS Y4, Y3, Y4
	VBROADCASTSS geluTable<>+16(SB), Y1
	VBROADCASTSS geluTable<>+20(SB), Y2
	VFMADD213PS Y2, Y4, Y1
	VBROADCASTSS geluTable<>+24(SB), Y2
	VFMADD213PS Y2, Y4, Y1
	VBROADCASTSS geluTable<>+28(SB), Y2
	VFMADD213PS Y2, Y4, Y1
	VBROADCASTSS geluTable<>+32(SB), Y2
	VFMADD213PS Y2, Y4, Y1
	VMULPS Y4, Y1, Y1
	VMULPS Y6, Y0, Y0
	VFNMADD213PS Y7, Y1, Y0
	VMOVUPS Y0, (DI)(AX*4)
	ADDQ $8, AX
	CMPQ AX, CX
	JLT  next
	VZEROUPPER
	RET
