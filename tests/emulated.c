/* emulated.c: see emulated.h. */
#include "tests/emulated.h"

#include "tests/cmocka_all.h"
#include "tests/child_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char emulated_folder[256];

/* What was compiled last, since several inputs may have one shape. */
static struct {
    char *shape;
    const char *source;
    bool short_run;
} compiled;

const char *emulated_file(const char *name)
{
    static char paths[4][512];
    static int next;
    char *const path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", emulated_folder, name);
    return path;
}

FILE *emulated_open(const char *name, const char *mode)
{
    FILE *const f = fopen(emulated_file(name), mode);
    assert_non_null(f);
    return f;
}

void emulated_put(FILE *f, const void *bytes, size_t size)
{
    if (size) assert_int_equal(fwrite(bytes, size, 1, f), 1);
}

void emulated_write_shape(const char *text)
{
    FILE *const f = emulated_open("shape.h", "w");
    emulated_put(f, text, strlen(text));
    assert_int_equal(fclose(f), 0);
}

void *emulated_output(size_t size)
{
    void *const bytes = malloc(size);
    FILE *const f = emulated_open("output", "rb");
    assert_int_equal(fread(bytes, size, 1, f), 1);
    fclose(f);
    return bytes;
}

void emulated_skip_without_compiler(void)
{
    static program p;
    memset(&p, 0, sizeof p);
    program_run(&p, (const char *const[]){"/usr/bin/env", "g++", "--version", NULL});
    if (p.code == 0) return;
    print_message("skipped: no g++\n");
    skip();
}

int emulated_set_up(void **state)
{
    (void)state;
    snprintf(emulated_folder, sizeof emulated_folder, "%s/levy-emulated-XXXXXX",
             getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    return mkdtemp(emulated_folder) ? 0 : -1;
}

int emulated_tear_down(void **state)
{
    (void)state;
    const char *const names[] = {"shape.h", "input", "output", "emulated"};
    for (size_t i = 0; i < 4; ++i) unlink(emulated_file(names[i]));
    free(compiled.shape);
    compiled.shape = NULL;
    return rmdir(emulated_folder);
}

/* A file of the folder, whole; the caller frees it. */
static char *emulated_text(const char *name)
{
    FILE *const f = emulated_open(name, "rb");
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    const long size = ftell(f);
    assert_true(size >= 0);
    char *const text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    rewind(f);
    assert_int_equal(fread(text, 1, (size_t)size, f), size);
    fclose(f);
    return text;
}

static void emulated_compile(const char *source, bool short_run, bool library)
{
    static program p;
    static const char sysroot[] = "--sysroot=" LEVY_SYSROOT;
    char path[512];
    snprintf(path, sizeof path, "%s/tests/%s", LEVY_SOURCE_DIR, source);
    /* Half the time of reading a source without containers goes into headers of C++. */
    const bool plain = strcmp(source, "fused_host.cpp") == 0;
    const char *const compile[] = {"/usr/bin/env",
                                   "g++",
                                   sysroot,
                                   "-std=c++17",
                                   plain ? "-nostdinc++" : "-w",
                                   short_run ? "-Og" : "-O1",
                                   "-march=native",
                                   "-ffp-contract=off",
                                   "-fno-math-errno",
                                   "-fsanitize=alignment", /* what a GPU would not load */
                                   "-fsanitize-undefined-trap-on-error",
                                   "-w",
                                   "-I",
                                   LEVY_SOURCE_DIR,
                                   "-I",
                                   emulated_folder,
                                   path,
                                   "-o",
                                   emulated_file("emulated"),
                                   "-pthread",
                                   library ? "-shared" : NULL,
                                   "-fPIC",
                                   "-fno-gnu-unique", /* else it stays when it is closed */
                                   NULL};
    memset(&p, 0, sizeof p);
    program_run(&p, compile);
    if (p.code != 0) print_error("%s\n", p.err);
    assert_int_equal(p.code, 0);
}

void emulated_run(const char *source, bool short_run)
{
    static program p;
    char *const shape = emulated_text("shape.h");
    const bool known = compiled.shape && strcmp(shape, compiled.shape) == 0 &&
                       strcmp(source, compiled.source) == 0 && short_run == compiled.short_run;
    free(compiled.shape);
    compiled.shape = NULL; /* unless it compiles */
    if (!known) emulated_compile(source, short_run, false);
    compiled.shape = shape;
    compiled.source = source;
    compiled.short_run = short_run;
    memset(&p, 0, sizeof p);
    program_run(&p, (const char *const[]){emulated_file("emulated"), emulated_file("input"),
                                          emulated_file("output"), NULL});
    assert_int_equal(p.code, 0);
}

void emulated_library(const char *source) { emulated_compile(source, false, true); }
