/* SPDX-License-Identifier: BSD-3-Clause */
/* Which UCX and which PMIx the system's linker finds for a program: "UCX 1.13 PMIx 4.2". */
#include <pmix.h>
#include <stdio.h>
#include <string.h>
#include <ucp/api/ucp.h>

int main(void)
{
    /* "OpenPMIx 4.2.2rc2 (...)" */
    const char *pmix = PMIx_Get_version(), *number = strpbrk(pmix, "0123456789");
    unsigned major, minor, release, pmix_major = 0, pmix_minor = 0;
    ucp_get_version(&major, &minor, &release);
    if (number == NULL || sscanf(number, "%u.%u", &pmix_major, &pmix_minor) != 2) return 1;
    printf("UCX %u.%u PMIx %u.%u\n", major, minor, pmix_major, pmix_minor);
    return 0;
}
