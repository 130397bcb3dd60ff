/* machine.h: the memory that this machine, or the control group of this process, may use; and sizes
 * in the form that people write. Must not know: what the memory is for. */
#ifndef LEVY_BASE_MACHINE_H
#define LEVY_BASE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* The machine's memory, or the least limit of the control groups above this process where that is
 * less; 0: not known. */
uint64_t levy_machine_memory(void);

/* "512M", "4G"; "100000" is bytes, "50%" a share of `whole`. K, M, G and T are powers of 1,024;
 * there are no fractions. False: it is none of these, or 0, or more than 2^62, or a share of what
 * is not known. */
bool levy_size_read(const char *text, uint64_t whole, uint64_t *bytes);

#endif
