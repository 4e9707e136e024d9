/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of CUDA that a CPU has nothing for: their use is an error that says so.
 */
#ifndef ANYSHMEM_CUDA_UNSUPPORTED_H
#define ANYSHMEM_CUDA_UNSUPPORTED_H

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

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

#define ASH_NO_ROUTINE(name) \
    template <typename... Arguments> \
    __host__ ASH_UNSUPPORTED("textures and surfaces need a GPU") cudaError_t name(Arguments...);
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
