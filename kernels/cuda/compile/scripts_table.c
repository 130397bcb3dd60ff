/* scripts_table.c: see scripts_parts.h. The table of thresholds (thresholds.h) as text. */
#include "kernels/cuda/compile/scripts_parts.h"

static void scripts_table_numbers(levy_shape_text *out, const levy_script_program *p,
                                  const levy_thresholds *table)
{
    levy_shape_word(out, "LANE_FN void script_table_numbers(const real *k,const real *t,"
                         "const real *drift,real *to)\n{\n(void)k,(void)t;\n");
    for (uint32_t i = 0; i < table->n; ++i) {
        const levy_threshold *const t = &table->of[i];
        levy_scripts_put(out, "to[", t->number, "]=script_table_number(");
        levy_scripts_operand(out, p, t->level);
        levy_shape_word(out, ",");
        levy_scripts_operand(out, p, t->weight);
        levy_scripts_put(out, ",drift[", t->asset, "],");
        levy_scripts_operand(out, p, t->inverse);
        levy_shape_word(out, ");\n");
    }
    levy_shape_word(out, "}\n");
}

/* Is threshold i the first one with its row? */
static bool scripts_begins_row(const levy_thresholds *table, uint32_t i)
{
    for (uint32_t k = 0; k < i; ++k)
        if (table->of[k].row == table->of[i].row) return false;
    return true;
}

static void scripts_table_rows(levy_shape_text *out, const levy_script_program *p,
                               const levy_thresholds *table)
{
    levy_shape_word(out, "LANE_FN void script_table_rows(const real *t,const real *factor,real *to)"
                         "\n{\n");
    for (uint32_t i = 0; i < table->n; ++i) {
        const levy_threshold *const t = &table->of[i];
        if (!scripts_begins_row(table, i)) continue;
        levy_scripts_put(out, "script_table_row(factor+", t->asset, "*PATH_factors,");
        levy_scripts_operand(out, p, t->inverse);
        levy_scripts_put(out, ",PATH_factors,to+", t->row, ");\n");
    }
    levy_shape_word(out, "}\n");
}

/* The sums of a block's rows. */
static void scripts_table_sums(levy_shape_text *out, const levy_script_program *p,
                               const levy_thresholds *table)
{
    levy_shape_word(out, "LANE_FN void script_table_sums(uint32_t b,const real *row,"
                         "const lane *driver,lane *y)\n{\nswitch(b){\n");
    for (uint32_t b = 0; b < p->n_blocks; ++b) {
        levy_scripts_put(out, "case ", b, ":\n");
        for (uint32_t i = 0; i < table->n; ++i) {
            const levy_threshold *const t = &table->of[i];
            if (t->block != b || !scripts_begins_row(table, i)) continue;
            levy_scripts_put(out, "y[", t->sum, "]=");
            levy_scripts_put(out, "script_table_sum(row+", t->row, ",driver,PATH_factors);\n");
        }
        levy_shape_word(out, "break;\n");
    }
    levy_shape_word(out, "}\n}\n");
}

void levy_scripts_table(levy_shape_text *out, const levy_script_program *p,
                        const levy_thresholds *table)
{
    levy_scripts_put(out, "enum{SCRIPT_TABLE_NUMBERS=", table->numbers, ",");
    levy_scripts_put(out, "SCRIPT_TABLE_ROWS=", table->rows, ",");
    levy_scripts_put(out, "SCRIPT_TABLE_SUMS=", table->sums, "};\n");
    scripts_table_numbers(out, p, table);
    scripts_table_rows(out, p, table);
    scripts_table_sums(out, p, table);
}
