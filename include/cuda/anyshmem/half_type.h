/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The classes ASH_HALF and ASH_HALF2 of cuda_fp16.h or cuda_bf16.h, which include this.
 * No guard: each includes it once, with its own macros.
 */
struct ASH_HALF {
    unsigned short __x;

    ASH_HALF() = default;
    __host__ __device__ ASH_HALF(const ASH_HALF_RAW &raw) : __x(raw.x) {}
    __host__ __device__ ASH_HALF(float a) : __x(ASH_FROM_FLOAT(a)) {}
    __host__ __device__ ASH_HALF(double a) : __x(ASH_FROM_FLOAT((float)a)) {}
    __host__ __device__ ASH_HALF(short a) : ASH_HALF((float)a) {}
    __host__ __device__ ASH_HALF(unsigned short a) : ASH_HALF((float)a) {}
    __host__ __device__ ASH_HALF(int a) : ASH_HALF((float)a) {}
    __host__ __device__ ASH_HALF(unsigned int a) : ASH_HALF((float)a) {}
    __host__ __device__ ASH_HALF(long a) : ASH_HALF((float)a) {}
    __host__ __device__ ASH_HALF(unsigned long a) : ASH_HALF((float)a) {}
    __host__ __device__ ASH_HALF(long long a) : ASH_HALF((float)a) {}
    __host__ __device__ ASH_HALF(unsigned long long a) : ASH_HALF((float)a) {}

    __host__ __device__ operator float() const { return ASH_TO_FLOAT(__x); }
    __host__ __device__ operator ASH_HALF_RAW() const volatile { return ASH_HALF_RAW{ __x }; }
    explicit __host__ __device__ operator bool() const { return (__x & 0x7fff) != 0; }
    /* Programs and libraries have volatile ones, which they copy. */
    __host__ __device__ volatile ASH_HALF &operator=(const ASH_HALF_RAW &raw) volatile
    {
        __x = raw.x;
        return *this;
    }
    __host__ __device__ ASH_HALF &operator=(float a)
    {
        __x = ASH_FROM_FLOAT(a);
        return *this;
    }
    __host__ __device__ ASH_HALF &operator=(double a) { return *this = (float)a; }
    __host__ __device__ ASH_HALF &operator=(int a) { return *this = (float)a; }
    __host__ __device__ ASH_HALF &operator=(unsigned int a) { return *this = (float)a; }
    __host__ __device__ ASH_HALF &operator=(short a) { return *this = (float)a; }
    __host__ __device__ ASH_HALF &operator=(unsigned short a) { return *this = (float)a; }
    __host__ __device__ ASH_HALF &operator=(long long a) { return *this = (float)a; }
    __host__ __device__ ASH_HALF &operator=(unsigned long long a) { return *this = (float)a; }
};

struct alignas(4) ASH_HALF2 {
    ASH_HALF x, y;

    ASH_HALF2() = default;
    __host__ __device__ ASH_HALF2(const ASH_HALF &a, const ASH_HALF &b) : x(a), y(b) {}
    __host__ __device__ ASH_HALF2(const ASH_HALF2_RAW &raw)
        : x(ASH_HALF_RAW{ raw.x }), y(ASH_HALF_RAW{ raw.y })
    {
    }
    __host__ __device__ operator ASH_HALF2_RAW() const { return ASH_HALF2_RAW{ x.__x, y.__x }; }
};

#define ASH_HALF_OPERATOR(op) \
    ASH_BOTH ASH_HALF operator op(const ASH_HALF &a, const ASH_HALF &b) \
    { \
        return ASH_HALF((float)a op (float)b); \
    } \
    ASH_BOTH ASH_HALF &operator op##=(ASH_HALF & a, const ASH_HALF & b) { return a = a op b; } \
    ASH_BOTH ASH_HALF2 operator op(const ASH_HALF2 &a, const ASH_HALF2 &b) \
    { \
        return ASH_HALF2(a.x op b.x, a.y op b.y); \
    } \
    ASH_BOTH ASH_HALF2 &operator op##=(ASH_HALF2 & a, const ASH_HALF2 & b) { return a = a op b; }
ASH_HALF_OPERATOR(+)
ASH_HALF_OPERATOR(-)
ASH_HALF_OPERATOR(*)
ASH_HALF_OPERATOR(/)
#undef ASH_HALF_OPERATOR
#define ASH_HALF_COMPARE(op) \
    ASH_BOTH bool operator op(const ASH_HALF &a, const ASH_HALF &b) \
    { \
        return (float)a op (float)b; \
    }
ASH_HALF_COMPARE(==)
ASH_HALF_COMPARE(!=)
ASH_HALF_COMPARE(<)
ASH_HALF_COMPARE(<=)
ASH_HALF_COMPARE(>)
ASH_HALF_COMPARE(>=)
#undef ASH_HALF_COMPARE
ASH_BOTH bool operator==(const ASH_HALF2 &a, const ASH_HALF2 &b)
{
    return a.x == b.x && a.y == b.y;
}
ASH_BOTH bool operator!=(const ASH_HALF2 &a, const ASH_HALF2 &b)
{
    return a.x != b.x && a.y != b.y;
}
ASH_BOTH ASH_HALF operator-(const ASH_HALF &a)
{
    return ASH_HALF(ASH_HALF_RAW{ (unsigned short)(a.__x ^ 0x8000) });
}
ASH_BOTH ASH_HALF operator+(const ASH_HALF &a) { return a; }
ASH_BOTH ASH_HALF2 operator-(const ASH_HALF2 &a) { return ASH_HALF2(-a.x, -a.y); }
ASH_BOTH ASH_HALF2 operator+(const ASH_HALF2 &a) { return a; }
ASH_BOTH ASH_HALF &operator++(ASH_HALF &a) { return a += ASH_HALF(1.0f); }
ASH_BOTH ASH_HALF &operator--(ASH_HALF &a) { return a -= ASH_HALF(1.0f); }
ASH_BOTH ASH_HALF operator++(ASH_HALF &a, int)
{
    ASH_HALF before = a;

    a += ASH_HALF(1.0f);
    return before;
}
ASH_BOTH ASH_HALF operator--(ASH_HALF &a, int)
{
    ASH_HALF before = a;

    a -= ASH_HALF(1.0f);
    return before;
}
