#include "textflag.h"

// func dotAVX2(q *int16, row *byte, n int) int32
//
// Sixteen bytes at a time are widened to words and multiplied by sixteen words
// of the query; neighbouring products are added to eight sums of 32 bits. Four
// sets of sums hide the latency of the additions.
TEXT ·dotAVX2(SB), NOSPLIT, $0-28
	MOVQ q+0(FP), BX
	MOVQ row+8(FP), DX
	MOVQ n+16(FP), CX

	// Both pointers move to their ends and the index counts up to zero.
	LEAQ  (BX)(CX*2), BX
	ADDQ  CX, DX
	NEGQ  CX
	VPXOR Y8, Y8, Y8
	VPXOR Y9, Y9, Y9
	VPXOR Y10, Y10, Y10
	VPXOR Y11, Y11, Y11

next:
	VPMOVSXBW (DX)(CX*1), Y0
	VPMOVSXBW 16(DX)(CX*1), Y1
	VPMOVSXBW 32(DX)(CX*1), Y2
	VPMOVSXBW 48(DX)(CX*1), Y3
	VPMADDWD  (BX)(CX*2), Y0, Y0
	VPMADDWD  32(BX)(CX*2), Y1, Y1
	VPMADDWD  64(BX)(CX*2), Y2, Y2
	VPMADDWD  96(BX)(CX*2), Y3, Y3
	VPADDD    Y0, Y8, Y8
	VPADDD    Y1, Y9, Y9
	VPADDD    Y2, Y10, Y10
	VPADDD    Y3, Y11, Y11
	ADDQ      $64, CX
	JNZ       next

	VPADDD       Y9, Y8, Y8
	VPADDD       Y11, Y10, Y10
	VPADDD       Y10, Y8, Y8
	VEXTRACTI128 $1, Y8, X9
	VPADDD       X9, X8, X8
	VPSHUFD      $0x4e, X8, X9
	VPADDD       X9, X8, X8
	VPSHUFD      $0xb1, X8, X9
	VPADDD       X9, X8, X8
	VMOVD        X8, AX
	MOVL         AX, ret+24(FP)
	VZEROUPPER
	RET
