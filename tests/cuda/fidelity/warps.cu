/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of a warp, with masks, and barriers of a block. */
#include "fidelity.h"

__global__ void shuffles(int *out)
{
    int lane = (int)threadIdx.x;

    out[lane] = __shfl_sync(0xffffffff, lane * 2, 5);
    out[32 + lane] = __shfl_up_sync(0xffffffff, lane, 2);
    out[64 + lane] = __shfl_down_sync(0xffffffff, lane, 3);
    out[96 + lane] = __shfl_xor_sync(0xffffffff, lane, 1);
    out[128 + lane] = __shfl_sync(0xffffffff, lane, 1, 8);
    out[160 + lane] = __shfl_down_sync(0xffffffff, lane, 1, 4);
}
__global__ void shuffle_types(int *out)
{
    int lane = (int)threadIdx.x;
    double d = __shfl_sync(0xffffffff, lane + 0.5, 3);
    float f = __shfl_xor_sync(0xffffffff, lane + 0.25f, 2);
    long long l = __shfl_up_sync(0xffffffff, (long long)lane << 40, 1);
    unsigned long u = __shfl_down_sync(0xffffffff, ~0ul - (unsigned long)lane, 1);

    if (lane == 1) {
        out[0] = (int)(d * 2);
        out[1] = (int)(f * 4);
        out[2] = l == 0;
        out[3] = u == ~0ul - 2;
    }
}
__global__ void votes(int *out)
{
    int lane = (int)threadIdx.x;
    int all = __all_sync(0xffffffff, lane >= 0), not_all = __all_sync(0xffffffff, lane > 0);
    int any = __any_sync(0xffffffff, lane == 31), none = __any_sync(0xffffffff, lane > 31);
    unsigned odd = __ballot_sync(0xffffffff, lane & 1);
    unsigned match = __match_any_sync(0xffffffff, lane / 8);
    int equal = 0, unequal = 1;
    unsigned of_equal = __match_all_sync(0xffffffff, 7, &equal);
    unsigned of_unequal = __match_all_sync(0xffffffff, lane, &unequal);

    if (lane == 9) {
        out[0] = all != 0 && !not_all;
        out[1] = any != 0 && !none;
        out[2] = odd == 0xaaaaaaaa;
        out[3] = match == 0xff00;
        out[4] = of_equal == 0xffffffff && equal;
        out[5] = of_unequal == 0 && !unequal;
    }
}
__global__ void reductions(int *out)
{
    int lane = (int)threadIdx.x;
    int sum = __reduce_add_sync(0xffffffff, lane), least = __reduce_min_sync(0xffffffff, lane - 5);
    unsigned most = __reduce_max_sync(0xffffffff, (unsigned)lane * 3);
    unsigned ored = __reduce_or_sync(0xffffffff, 1u << lane), anded;

    anded = __reduce_and_sync(0xffffffff, ~(1u << lane));
    if (lane == 0) {
        out[0] = sum;
        out[1] = least;
        out[2] = (int)most;
        out[3] = ored == ~0u && anded == 0;
        out[4] = (int)__reduce_xor_sync(1, 6u);
    }
}
/* Both halves of a warp shuffle at once, in two branches. */
__global__ void diverged(int *out)
{
    int lane = (int)threadIdx.x, value;

    if (lane < 16)
        value = __shfl_sync(0x0000ffff, lane, 3);
    else
        value = __shfl_sync(0xffff0000, lane, 20);
    out[lane] = value;
}
__global__ void some_lanes(int *out)
{
    int lane = (int)threadIdx.x;

    out[lane] = -1;
    if (lane % 3 == 0) {
        unsigned mask = __ballot_sync(0x49249249, 1);

        out[lane] = __popc((int)mask);
    }
    __syncwarp();
    if (lane < 4) {
        int seen = out[lane ^ 3];

        __syncwarp(0xf);
        out[lane] += seen > 0 ? 100 : 200;
    }
}
__global__ void sum_by_tree(int *out, int n)
{
    int value = (int)threadIdx.x < n ? (int)threadIdx.x : 0;

    for (int delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(0xffffffff, value, delta);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = value;
}
__global__ void active(int *out)
{
    if (threadIdx.x == 7)
        out[0] = (__activemask() >> 7) & 1;
    out[1] = (int)__fns(0xf0, 0, 2);
}
__global__ void small_block(int *out)
{
    out[threadIdx.x] = __shfl_sync(0xffffffff, (int)threadIdx.x, 4);
}

/* What a lane gives that is not in the block is 0, as on a GPU. */
__global__ void less_than_a_warp(int *out)
{
    int value = 100 + (int)threadIdx.x;

    for (int delta = 16; delta > 0; delta /= 2)
        value += __shfl_down_sync(0xffffffff, value, delta);
    out[threadIdx.x] = value;
}

__global__ void counted(int *out)
{
    int i = (int)threadIdx.x;
    int odd = __syncthreads_count(i & 1), all = __syncthreads_and(i < 100);
    int not_all = __syncthreads_and(i > 0), any = __syncthreads_or(i == 99);
    int none = __syncthreads_or(i > 99);

    if (i == 50) {
        out[0] = odd;
        out[1] = all != 0 && !not_all;
        out[2] = any != 0 && !none;
    }
}
__global__ void many_barriers(int *out)
{
    __shared__ int values[2][96];
    int i = (int)threadIdx.x;

    values[0][i] = i;
    for (int round = 0; round < 50; round++) {
        __syncthreads();
        values[(round + 1) & 1][i] = values[round & 1][(i + 1) % 96];
    }
    __syncthreads();
    out[i] = values[0][i];
}
__global__ void last_block(int *out, unsigned *arrived)
{
    __shared__ bool is_last;

    out[1 + blockIdx.x] = (int)blockIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        is_last = atomicInc(arrived, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (is_last && threadIdx.x == 0)
        for (unsigned i = 0; i < gridDim.x; i++)
            out[0] += out[1 + i];
}

static void check_shuffles()
{
    Ints out(256);
    std::vector<int> all;

    shuffles<<<1, 32>>>(out.device());
    all = out.host();
    check("__shfl_sync", all[0] == 10 && all[31] == 10);
    check("__shfl_up_sync", all[32] == 0 && all[33] == 1 && all[34] == 0 && all[63] == 29);
    check("__shfl_down_sync", all[64] == 3 && all[92] == 31 && all[93] == 29 && all[95] == 31);
    check("__shfl_xor_sync", all[96] == 1 && all[127] == 30);
    check("a width of 8", all[128] == 1 && all[136] == 9 && all[159] == 25);
    check("a width of 4", all[160] == 1 && all[163] == 3 && all[164] == 5);
    shuffle_types<<<1, 32>>>(out.device());
    check("shuffles of double, float, long long, unsigned long", out.are({ 7, 13, 1, 1 }));
    diverged<<<1, 32>>>(out.device());
    check("two halves shuffle in two branches", out.host()[2] == 3 && out.host()[30] == 20);
    sum_by_tree<<<1, 96>>>(out.device(), 40);
    check("sums by a tree of shuffles", out.are({ 496, 284, 0 }));
    small_block<<<1, 8>>>(out.device());
    check("a warp of 8 threads with all lanes named", out.host()[0] == 4 && out.host()[7] == 4);
    less_than_a_warp<<<1, 8>>>(out.device());
    check("shuffles from lanes that the block does not have", out.host()[0] == 828);
}

/* Of 64 bits, signed and not: each lane's neighbour. */
template <typename T> __global__ void wide_shuffles(T *out)
{
    T value = (T)threadIdx.x * (T)0x100000001;

    out[threadIdx.x] = __shfl_sync(0xffffffff, value, (int)threadIdx.x ^ 1) +
                       __shfl_xor_sync(0xffffffff, value, 1) +
                       __shfl_down_sync(0xffffffff, value, 1, 2) +
                       __shfl_up_sync(0xffffffff, value, 1, 2);
}
template <typename T> static bool wide_shuffles_are_right()
{
    Numbers<T> out(32);

    wide_shuffles<T><<<1, 32>>>(out.device());
    std::vector<T> all = out.host();
    /* An even lane has itself from above it, and an odd one from below. */
    return all[4] == (T)0x100000001 * (5 + 5 + 5 + 4) && all[5] == (T)0x100000001 * (4 + 4 + 5 + 4);
}

void check_warps()
{
    check("shuffles of 64 bits",
          wide_shuffles_are_right<long long>() && wide_shuffles_are_right<unsigned long long>() &&
              wide_shuffles_are_right<long>() && wide_shuffles_are_right<unsigned long>());

    Ints out(256);
    Numbers<unsigned> arrived(1);
    std::vector<int> rotated(96);

    check_shuffles();
    votes<<<1, 32>>>(out.device());
    check("__all_sync", out.host()[0] == 1);
    check("__any_sync", out.host()[1] == 1);
    check("__ballot_sync", out.host()[2] == 1);
    check("__match_any_sync", out.host()[3] == 1);
    check("__match_all_sync", out.host()[4] == 1 && out.host()[5] == 1);
    reductions<<<1, 32>>>(out.device());
    check("__reduce_add_sync", out.host()[0] == 496);
    check("__reduce_min_sync, __reduce_max_sync", out.host()[1] == -5 && out.host()[2] == 93);
    check("__reduce_or_sync and its like", out.host()[3] == 1 && out.host()[4] == 6);
    some_lanes<<<1, 32>>>(out.device());
    check("masks of some lanes", out.host()[3] == 111 && out.host()[6] == 11);
    check("__syncwarp of some lanes", out.host()[1] == 199 && out.host()[2] == 199);
    active<<<1, 32>>>(out.device());
    check("__activemask and __fns", out.are({ 1, 5 }));
    counted<<<1, 100>>>(out.device());
    check("__syncthreads_count", out.host()[0] == 50);
    check("__syncthreads_and, __syncthreads_or", out.host()[1] == 1 && out.host()[2] == 1);
    for (int i = 0; i < 96; i++)
        rotated[i] = (i + 50) % 96;
    many_barriers<<<1, 96>>>(out.device());
    check("50 barriers", out.are(rotated));
    cuda_works(cudaMemset(out.device(), 0, 256 * sizeof(int)));
    last_block<<<100, 64>>>(out.device(), arrived.device());
    check("the last block adds what all have written", out.first() == 4950);
}
