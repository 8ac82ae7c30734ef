#include "textflag.h"

// func hammingPOPCNT(q *uint64, words int, codes *uint64, out *uint16, n int)
TEXT ·hammingPOPCNT(SB), NOSPLIT, $0-40
	MOVQ q+0(FP), SI
	MOVQ words+8(FP), CX
	MOVQ codes+16(FP), DI
	MOVQ out+24(FP), DX
	MOVQ n+32(FP), BX
	CMPQ CX, $4
	JEQ  four

	// Codes of any length: an odd word first, then two at a time.
row:
	XORQ    R8, R8
	XORQ    R10, R10
	TESTQ   $1, CX
	JZ      pairs
	MOVQ    (DI), AX
	XORQ    (SI), AX
	POPCNTQ AX, R10
	INCQ    R8

pairs:
	CMPQ    R8, CX
	JGE     store
	MOVQ    (DI)(R8*8), AX
	XORQ    (SI)(R8*8), AX
	POPCNTQ AX, AX
	MOVQ    8(DI)(R8*8), R9
	XORQ    8(SI)(R8*8), R9
	POPCNTQ R9, R9
	ADDQ    R9, AX
	ADDQ    AX, R10
	ADDQ    $2, R8
	JMP     pairs

store:
	MOVW R10, (DX)
	ADDQ $2, DX
	LEAQ (DI)(CX*8), DI
	DECQ BX
	JNZ  row
	RET

	// 256 components: the query stays in registers.
four:
	MOVQ 0(SI), R8
	MOVQ 8(SI), R9
	MOVQ 16(SI), R10
	MOVQ 24(SI), R11

fourRow:
	MOVQ    0(DI), AX
	MOVQ    8(DI), CX
	MOVQ    16(DI), R12
	MOVQ    24(DI), R13
	XORQ    R8, AX
	XORQ    R9, CX
	XORQ    R10, R12
	XORQ    R11, R13
	POPCNTQ AX, AX
	POPCNTQ CX, CX
	POPCNTQ R12, R12
	POPCNTQ R13, R13
	ADDQ    CX, AX
	ADDQ    R13, R12
	ADDQ    R12, AX
	MOVW    AX, (DX)
	ADDQ    $32, DI
	ADDQ    $2, DX
	DECQ    BX
	JNZ     fourRow
	RET
