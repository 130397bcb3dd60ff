/* normal_rows.c: see normal_rows.h. */
#include "kernels/lane/normal_rows.h"

const double levy_normal_rows[LEVY_NORMAL_DOUBLES] __attribute__((aligned(64))) = {
#include "kernels/lane/normal_rows.inc"
};
