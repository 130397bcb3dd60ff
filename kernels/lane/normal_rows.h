/* normal_rows.h: the table of the inverse normal in double (normal.h). A row holds a polynomial's
 * coefficients, from the constant up. A row covers a 32nd of an octave of f, twice the distance of
 * a word's middle to the nearer end of the words. The variable is f less the row's end, which is
 * never positive; the value is the normal of a word below the middle. normal_rows.py makes the
 * numbers, of which normal_rows.inc is the list. Must not know: lanes. */
#ifndef LEVY_LANE_NORMAL_ROWS_H
#define LEVY_LANE_NORMAL_ROWS_H

enum {
    LEVY_NORMAL_OCTAVES = 32, /* of f, from 1 to 2^32 */
    LEVY_NORMAL_OCTAVE = 32,  /* rows */
    LEVY_NORMAL_DOUBLES = 8 * LEVY_NORMAL_OCTAVES * LEVY_NORMAL_OCTAVE
};

extern const double levy_normal_rows[LEVY_NORMAL_DOUBLES];

#endif
