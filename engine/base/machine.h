/* machine.h: the memory and the processors that this machine, or the control group of this process,
 * may use; and sizes in the form that people write. Must not know: what they are for. */
#ifndef LEVY_BASE_MACHINE_H
#define LEVY_BASE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* The machine's memory, or the least limit of this process's control groups if that is less; 0: not
 * known. */
uint64_t levy_machine_memory(void);

/* Processors that the control groups of this process let it keep busy, rounded up; UINT32_MAX: they
 * set no limit. */
uint32_t levy_machine_quota(void);
/* Processors of the innermost control group with a set of them, whatever this process is bound to;
 * without one, those of the machine that are on. */
uint32_t levy_machine_set(void);
/* What the files say, for the two above: "150000 100000" of cpu.max in thousandths of a processor,
 * UINT64_MAX for "max"; how many "0-3,8" names, 0 for another text. */
uint64_t levy_machine_read_quota(const char *text);
uint32_t levy_machine_read_set(const char *text);

/* Reads "512M", "4G", "100000" (bytes) or "50%" (of `whole`). K, M, G and T are powers of 1,024;
 * fractions are refused. False: none of these forms, 0, more than 2^62, or a share of a `whole`
 * that is not known. */
bool levy_size_read(const char *text, uint64_t whole, uint64_t *bytes);

#endif
