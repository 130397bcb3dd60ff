/* normal_table.c: see normal_table.h. A row is a sixteenth of an octave of twice the distance to
 * the nearer end of the words; its cubic goes through the double function at the row's four
 * Chebyshev nodes. So does a cell's, in distances from its middle. */
#define LANE_SCALAR
#include "kernels/cuda/compile/normal_table.h"

#include "kernels/lane/normal.h"

#include <pthread.h>
#include <string.h>

/* |z| where the probability outside is f 2^-33. */
static double table_magnitude(double f) { return -lane_get(normal_below(lane_of(f)), 0); }

static void table_row(double first, double width, float *row)
{
    /* (1 - cos(pi (2 k + 1) / 8)) / 2 */
    static const double node[4] = {0x1.37c0p-5, 0x1.3c10p-2, 0x1.61f8p-1, 0x1.ec84p-1};
    double difference[4];
    for (int k = 0; k < 4; ++k) difference[k] = -table_magnitude(first + node[k] * width);
    for (int order = 1; order < 4; ++order)
        for (int k = 3; k >= order; --k)
            difference[k] =
                (difference[k] - difference[k - 1]) / ((node[k] - node[k - order]) * width);
    double power[4] = {difference[3], 0.0, 0.0, 0.0}; /* from the constant up */
    for (int k = 2; k >= 0; --k) {
        for (int i = 3; i > 0; --i) power[i] = power[i - 1] - node[k] * width * power[i];
        power[0] = difference[k] - node[k] * width * power[0];
    }
    for (int i = 0; i < 4; ++i) row[i] = (float)power[3 - i];
}

/* `lower` is a cell below the middle of the words. `upper` is its mirror image: the same normals
 * with the other sign, in reverse. */
static void table_cell(double middle, float *lower, float *upper)
{
    /* cos(3 pi / 8), cos(pi / 8): distances in half cells */
    static const double node[2] = {0x1.87de2ap-2, 0x1.d906bcp-1};
    double even[2], odd[2];
    for (int k = 0; k < 2; ++k) {
        const double below = -table_magnitude(middle - node[k] * 0x1p20),
                     above = -table_magnitude(middle + node[k] * 0x1p20);
        even[k] = (above + below) / 2.0;
        odd[k] = (above - below) / (2.0 * node[k]);
    }
    const double spacing = node[1] * node[1] - node[0] * node[0];
    const double second = (even[1] - even[0]) / spacing, third = (odd[1] - odd[0]) / spacing;
    lower[0] = upper[0] = (float)(third * 0x1p-60);
    lower[1] = (float)(second * 0x1p-40);
    lower[2] = upper[2] = (float)((odd[0] - third * node[0] * node[0]) * 0x1p-20);
    lower[3] = (float)(even[0] - second * node[0] * node[0]);
    upper[1] = -lower[1];
    upper[3] = -lower[3];
}

static void table_rows(float rows[4 * LEVY_NORMAL_ROWS])
{
    for (int row = 0; row < LEVY_NORMAL_ROWS; ++row) {
        const double octave = (double)((int64_t)1 << row / 16);
        if (row == LEVY_NORMAL_ROWS - 1)
            memset(rows + 4 * row, 0, 4 * sizeof *rows);
        else
            table_row(octave + octave * (row % 16) / 16.0, octave / 16.0, rows + 4 * row);
    }
}

static float table_of_process[LEVY_NORMAL_FLOATS];

static void table_fill(void)
{
    float *const cells = table_of_process + 4 * LEVY_NORMAL_ROWS;
    for (int k = 0; k < LEVY_NORMAL_CELLS / 2; ++k)
        table_cell(0x1p21 * k + 0x1p20, cells + 4 * k, cells + 4 * (LEVY_NORMAL_CELLS - 1 - k));
    table_rows(table_of_process);
}

const float *levy_normal_table(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, table_fill);
    return table_of_process;
}
