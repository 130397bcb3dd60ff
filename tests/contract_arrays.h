/* contract_arrays.h: the contract of the parts that stand alone, as cases of tests/test_contract.c.
 */
#ifndef LEVY_TESTS_CONTRACT_ARRAYS_H
#define LEVY_TESTS_CONTRACT_ARRAYS_H

/* Runs the cases and returns how many failed. device: "cpu", or a GPU ("cuda", "cuda:N") whose bits
 * are compared with the CPU's; configs: the folder of the examples, for a net; sets: the
 * instruction sets of this processor, NULL at the end. */
int contract_arrays(const char *device, const char *configs, const char *const *sets);

#endif
