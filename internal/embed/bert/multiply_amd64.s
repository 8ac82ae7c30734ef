#include "textflag.h"

DATA ones<>+0(SB)/8, $0x0001000100010001
DATA ones<>+8(SB)/8, $0x0001000100010001
DATA ones<>+16(SB)/8, $0x0001000100010001
DATA ones<>+24(SB)/8, $0x0001000100010001
GLOBL ones<>(SB), RODATA|NOPTR, $32

// Four inputs of a row, at off bytes after (row)(AX*1), times the two halves
// of the panel in Y12 and Y13. The file's weights are such that the sums of
// two products, 16 bits wide, do not saturate.
#define STEP(off, row, lo, hi) \
	VPBROADCASTD off(row)(AX*1), Y14 \
	VPMADDUBSW   Y12, Y14, Y15       \
	VPMADDUBSW   Y13, Y14, Y14       \
	VPMADDWD     ones<>(SB), Y15, Y15 \
	VPMADDWD     ones<>(SB), Y14, Y14 \
	VPADDD       Y15, lo, lo         \
	VPADDD       Y14, hi, hi

#define QUAD(weights, acts) \
	VMOVDQU weights(BX), Y12    \
	VMOVDQU weights+32(BX), Y13 \
	STEP(acts, SI, Y0, Y1)      \
	STEP(acts, R8, Y2, Y3)      \
	STEP(acts, R9, Y4, Y5)      \
	STEP(acts, R10, Y6, Y7)     \
	STEP(acts, R11, Y8, Y9)     \
	STEP(acts, R12, Y10, Y11)

// The sums of one row less what its zero point added; times the scales of
// the panel, Y12 and Y13, times the scale of the row; plus the biases.
#define FINISH(off, lo, hi) \
	VPBROADCASTD off(R8), Y14   \
	VPMULLD      (R9), Y14, Y15 \
	VPSUBD       Y15, lo, lo    \
	VPMULLD      32(R9), Y14, Y15 \
	VPSUBD       Y15, hi, hi    \
	VBROADCASTSS off(SI), Y14   \
	VCVTDQ2PS    lo, lo         \
	VCVTDQ2PS    hi, hi         \
	VMULPS       Y12, lo, lo    \
	VMULPS       Y13, hi, hi    \
	VMULPS       Y14, lo, lo    \
	VMULPS       Y14, hi, hi    \
	VADDPS       (CX), lo, lo   \
	VADDPS       32(CX), hi, hi \
	VMOVUPS      lo, (DI)       \
	VMOVUPS      hi, 32(DI)     \
	ADDQ         DX, DI

// func multiplyAVX2(out *float32, stride int, acts *uint8, k int, rowScales *float32, rowZeros *int32, weights *byte, sums *int32, scales, biases *float32)
TEXT ·multiplyAVX2(SB), NOSPLIT, $0-80
	MOVQ acts+16(FP), SI
	MOVQ k+24(FP), CX
	MOVQ weights+48(FP), BX
	LEAQ (SI)(CX*1), R8
	LEAQ (R8)(CX*1), R9
	LEAQ (R9)(CX*1), R10
	LEAQ (R10)(CX*1), R11
	LEAQ (R11)(CX*1), R12
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	VPXOR Y8, Y8, Y8
	VPXOR Y9, Y9, Y9
	VPXOR Y10, Y10, Y10
	VPXOR Y11, Y11, Y11
	XORQ AX, AX

	PCALIGN $32
quads:
	QUAD(0, 0)
	QUAD(64, 4)
	ADDQ $128, BX
	ADDQ $8, AX
	CMPQ AX, CX
	JLT  quads

	MOVQ out+0(FP), DI
	MOVQ stride+8(FP), DX
	SHLQ $2, DX
	MOVQ rowScales+32(FP), SI
	MOVQ rowZeros+40(FP), R8
	MOVQ sums+56(FP), R9
	MOVQ scales+64(FP), BX
	MOVQ biases+72(FP), CX
	VMOVUPS (BX), Y12
	VMOVUPS 32(BX), Y13
	FINISH(0, Y0, Y1)
	FINISH(4, Y2, Y3)
	FINISH(8, Y4, Y5)
	FINISH(12, Y6, Y7)
	FINISH(16, Y8, Y9)
	FINISH(20, Y10, Y11)
	VZEROUPPER
	RET
