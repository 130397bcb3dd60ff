/* build.h: shared by the steps that resolve a book: how they report (engine/base/check.h) and how
 * they read nodes. Must not know: what a step resolves. */
#ifndef LEVY_PROBLEM_BUILD_H
#define LEVY_PROBLEM_BUILD_H

#include "engine/base/check.h"
#include "engine/problem/problem.h"
#include "engine/schema/book.h"
#include "engine/schema/schema.h"

levy_reader levy_build_reader(const levy_check *build);

#endif
