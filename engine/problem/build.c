/* build.c: see build.h. */
#include "engine/problem/build.h"

levy_reader levy_build_reader(const levy_check *build)
{
    return (levy_reader){.arena = build->arena,
                         .faults = build->faults,
                         .trade = build->trade,
                         .is_dated = build->has_date,
                         .kinds = build->kinds};
}
