/* machine.h: the memory that this machine, or the control group of this process, may use; and sizes
 * in the form that people write. Must not know: what the memory is for. */
#ifndef LEVY_BASE_MACHINE_H
#define LEVY_BASE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* The machine's memory, or the least limit of this process's control groups if that is less; 0: not
 * known. */
uint64_t levy_machine_memory(void);

/* Reads "512M", "4G", "100000" (bytes) or "50%" (of `whole`). K, M, G and T are powers of 1,024;
 * fractions are refused. False: none of these forms, 0, more than 2^62, or a share of a `whole`
 * that is not known. */
bool levy_size_read(const char *text, uint64_t whole, uint64_t *bytes);

#endif
