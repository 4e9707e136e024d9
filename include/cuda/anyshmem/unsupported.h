/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of CUDA that a CPU has nothing for: their use is an error that says so.
 */
#ifndef ANYSHMEM_CUDA_UNSUPPORTED_H
#define ANYSHMEM_CUDA_UNSUPPORTED_H

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

/* What headers that are never used name, such as CUB's iterator over a texture. */
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3
};
struct cudaChannelFormatDesc {
    int x, y, z, w;
    enum cudaChannelFormatKind f;
};
enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
};
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
};
template <typename T> static inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    return {(int)sizeof(T) * 8, 0, 0, 0, cudaChannelFormatKindNone};
}

#define ASH_UNSUPPORTED(why) __attribute__((unavailable(why)))
#define ASH_NO_TEXTURE(name) \
    template <typename T = void, typename... Arguments> \
    __device__ ASH_UNSUPPORTED("textures and surfaces need a GPU") T name(Arguments...);
ASH_NO_TEXTURE(tex1D)
ASH_NO_TEXTURE(tex1Dfetch)
ASH_NO_TEXTURE(tex1DLod)
ASH_NO_TEXTURE(tex1DLayered)
ASH_NO_TEXTURE(tex2D)
ASH_NO_TEXTURE(tex2DLod)
ASH_NO_TEXTURE(tex2DLayered)
ASH_NO_TEXTURE(tex2Dgather)
ASH_NO_TEXTURE(tex3D)
ASH_NO_TEXTURE(texCubemap)
ASH_NO_TEXTURE(surf1Dread)
ASH_NO_TEXTURE(surf1Dwrite)
ASH_NO_TEXTURE(surf2Dread)
ASH_NO_TEXTURE(surf2Dwrite)
ASH_NO_TEXTURE(surf3Dread)
ASH_NO_TEXTURE(surf3Dwrite)
#undef ASH_NO_TEXTURE

/* An error where the call is compiled, not where a template has it that nobody uses. */
#define ASH_NO_ROUTINE(name) \
    template <typename... Arguments> \
    __host__ __attribute__((error("textures and surfaces need a GPU"))) \
    cudaError_t name(Arguments...);
ASH_NO_ROUTINE(cudaCreateTextureObject)
ASH_NO_ROUTINE(cudaDestroyTextureObject)
ASH_NO_ROUTINE(cudaCreateSurfaceObject)
ASH_NO_ROUTINE(cudaDestroySurfaceObject)
ASH_NO_ROUTINE(cudaBindTexture)
ASH_NO_ROUTINE(cudaBindTexture2D)
ASH_NO_ROUTINE(cudaBindTextureToArray)
ASH_NO_ROUTINE(cudaUnbindTexture)
ASH_NO_ROUTINE(cudaMallocArray)
ASH_NO_ROUTINE(cudaMalloc3DArray)
ASH_NO_ROUTINE(cudaFreeArray)
ASH_NO_ROUTINE(cudaMemcpyToArray)
ASH_NO_ROUTINE(cudaMemcpy2DToArray)
#undef ASH_NO_ROUTINE
#undef ASH_UNSUPPORTED

#endif
