/* contract_memory.h: memory of a GPU for the contract's arrays, through the driver alone, so that
 * the suite links neither the CUDA module nor the toolkit. */
#ifndef LEVY_TESTS_CONTRACT_MEMORY_H
#define LEVY_TESTS_CONTRACT_MEMORY_H

#include <stddef.h>

/* Makes the primary context of "cuda" (the first GPU) or "cuda:N" current in this thread. Each
 * function fails the test where the driver does. */
void contract_gpu_open(const char *device);
void contract_gpu_close(void);

void *contract_gpu_copy(const void *from, size_t bytes); /* allocates, and copies from the host */
/* Waits for all work of the GPU, copies to the host, frees. to: NULL: frees only */
void contract_gpu_take(void *memory, void *to, size_t bytes);

#endif
