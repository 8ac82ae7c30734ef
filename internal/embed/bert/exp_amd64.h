// EXP replaces Y0, nothing above 0, by its exponential with a relative error
// below 1e-6. What is smaller than -87 counts as -87, where float32 ends.
// Y1 and Y2 are lost; Y8 to Y15 hold what EXPCONSTANTS loads.
//
// e^x = 2^n e^r with n = round(x log2 e), so that |r| <= ln(2)/2, and e^r is
// its Taylor polynomial of degree 6. n ln 2 is subtracted in two parts, the
// larger of which has few enough bits to make its product exact.
#define EXPCONSTANTS \
	VBROADCASTSS expTable<>+0(SB), Y8   \
	VBROADCASTSS expTable<>+4(SB), Y9   \
	VBROADCASTSS expTable<>+8(SB), Y10  \
	VBROADCASTSS expTable<>+12(SB), Y11 \
	VBROADCASTSS expTable<>+16(SB), Y12 \
	VBROADCASTSS expTable<>+20(SB), Y13 \
	VBROADCASTSS expTable<>+24(SB), Y14 \
	VBROADCASTSS expTable<>+28(SB), Y15

#define EXP \
	VMAXPS       Y8, Y0, Y0               \
	VMULPS       Y9, Y0, Y1               \
	VROUNDPS     $0, Y1, Y1               \
	VFNMADD231PS Y10, Y1, Y0              \
	VFNMADD231PS Y11, Y1, Y0              \
	VCVTPS2DQ    Y1, Y1                   \
	VPSLLD       $23, Y1, Y1              \
	VMOVAPS      Y12, Y2                  \
	VFMADD213PS  Y13, Y0, Y2              \
	VFMADD213PS  Y14, Y0, Y2              \
	VFMADD213PS  Y15, Y0, Y2              \
	VBROADCASTSS expTable<>+32(SB), Y3    \
	VFMADD213PS  Y3, Y0, Y2               \
	VBROADCASTSS expTable<>+36(SB), Y3    \
	VFMADD213PS  Y3, Y0, Y2               \
	VFMADD213PS  Y3, Y0, Y2               \
	VPADDD       Y1, Y2, Y0

DATA expTable<>+0(SB)/4, $-87.0
DATA expTable<>+4(SB)/4, $1.4426950408889634
DATA expTable<>+8(SB)/4, $0.693359375
DATA expTable<>+12(SB)/4, $-2.12194440054690583e-4
DATA expTable<>+16(SB)/4, $1.3888888888888889e-3
DATA expTable<>+20(SB)/4, $8.333333333333333e-3
DATA expTable<>+24(SB)/4, $4.1666666666666664e-2
DATA expTable<>+28(SB)/4, $0.16666666666666666
DATA expTable<>+32(SB)/4, $0.5
DATA expTable<>+36(SB)/4, $1.0
GLOBL expTable<>(SB), RODATA|NOPTR, $40
