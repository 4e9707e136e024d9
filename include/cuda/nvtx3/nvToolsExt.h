/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * NVTX: marks and ranges for NVIDIA's profilers, which do nothing here.
 */
#ifndef ASH_CUDA_NVTOOLSEXT_H
#define ASH_CUDA_NVTOOLSEXT_H

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;
typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

/* Each does nothing and returns 0. */
#define ASH_NVTX(type, name, ...) \
    static __inline__ __attribute__((unused)) type name(__VA_ARGS__) { return (type)0; }
#define ASH_NVTX_VOID(name, ...) \
    static __inline__ __attribute__((unused)) void name(__VA_ARGS__) {}
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-parameter"
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
ASH_NVTX(int, nvtxRangePushA, const char *message)
ASH_NVTX(int, nvtxRangePushW, const wchar_t *message)
ASH_NVTX(int, nvtxRangePushEx, const nvtxEventAttributes_t *attributes)
ASH_NVTX(int, nvtxRangePop, void)
ASH_NVTX(nvtxRangeId_t, nvtxRangeStartA, const char *message)
ASH_NVTX(nvtxRangeId_t, nvtxRangeStartEx, const nvtxEventAttributes_t *attributes)
ASH_NVTX_VOID(nvtxRangeEnd, nvtxRangeId_t id)
ASH_NVTX_VOID(nvtxMarkA, const char *message)
ASH_NVTX_VOID(nvtxMarkEx, const nvtxEventAttributes_t *attributes)
ASH_NVTX_VOID(nvtxNameCategoryA, uint32_t category, const char *name)
ASH_NVTX_VOID(nvtxNameOsThreadA, uint32_t threadId, const char *name)
ASH_NVTX_VOID(nvtxInitialize, const void *reserved)
ASH_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, const char *name)
ASH_NVTX_VOID(nvtxDomainDestroy, nvtxDomainHandle_t domain)
ASH_NVTX(nvtxStringHandle_t, nvtxDomainRegisterStringA, nvtxDomainHandle_t domain,
         const char *string)
ASH_NVTX(int, nvtxDomainRangePushEx, nvtxDomainHandle_t domain,
         const nvtxEventAttributes_t *attributes)
ASH_NVTX(int, nvtxDomainRangePop, nvtxDomainHandle_t domain)
ASH_NVTX_VOID(nvtxDomainMarkEx, nvtxDomainHandle_t domain,
              const nvtxEventAttributes_t *attributes)
#if defined(__clang__)
#pragma clang diagnostic pop
#else
#pragma GCC diagnostic pop
#endif
#undef ASH_NVTX
#undef ASH_NVTX_VOID

#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCategory nvtxNameCategoryA

#endif
