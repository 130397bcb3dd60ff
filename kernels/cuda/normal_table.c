/* normal_table.c: see normal_table.h. A row is a sixteenth of an octave of twice the distance to the nearer end of the words;
 * its cubic goes through the double function at the row's four Chebyshev nodes. */
#define LANE_SCALAR
#include "kernels/cuda/normal_table.h"

#include "kernels/lane/normal.h"

/* |z| where the probability outside is f 2^-33. */
static double table_magnitude(double f)
{
    const lane x = lane_of(1.0 - f * 0x1p-32), t = lane_fma(-x, x, lane_of(1.0));
    return lane_get(lane_get(t, 0) < 0x1.4p-9 ? normal_tail(x) : normal_bulk(x, t), 0);
}

static void table_row(double first, double width, float *row)
{
    static const double node[4] = {0x1.37c0p-5, 0x1.3c10p-2, 0x1.61f8p-1, 0x1.ec84p-1}; /* (1 - cos(pi (2 k + 1) / 8)) / 2 */
    double difference[4];
    for (int k = 0; k < 4; ++k) difference[k] = table_magnitude(first + node[k] * width);
    for (int order = 1; order < 4; ++order)
        for (int k = 3; k >= order; --k) difference[k] = (difference[k] - difference[k - 1]) / ((node[k] - node[k - order]) * width);
    double power[4] = {difference[3], 0.0, 0.0, 0.0}; /* from the constant up */
    for (int k = 2; k >= 0; --k) {
        for (int i = 3; i > 0; --i) power[i] = power[i - 1] - node[k] * width * power[i];
        power[0] = difference[k] - node[k] * width * power[0];
    }
    for (int i = 0; i < 4; ++i) row[i] = (float)power[3 - i];
}

void levy_normal_table_fill(float table[LEVY_NORMAL_FLOATS])
{
    for (int row = 0; row < LEVY_NORMAL_ROWS; ++row) {
        const double octave = (double)((int64_t)1 << row / 16);
        float *const negative = table + 4 * row, *const positive = negative + 4 * LEVY_NORMAL_ROWS;
        if (row == LEVY_NORMAL_ROWS - 1) positive[0] = positive[1] = positive[2] = positive[3] = 0.0f;
        else table_row(octave + octave * (row % 16) / 16.0, octave / 16.0, positive);
        for (int i = 0; i < 4; ++i) negative[i] = -positive[i];
    }
}
