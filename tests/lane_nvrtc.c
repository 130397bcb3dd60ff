/* lane_nvrtc.c: a program for test_lane_nvcc.sh: compiles tests/lane_probe.c by NVRTC, prints the
 * PTX, says on stderr why not. lane_nvrtc ROOT OPTION...       exit 0: compiled; 1: it does not
 * compile; 77: no NVRTC here */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *program;
typedef int create_fn(program *, const char *, const char *, int, const char *const *,
                      const char *const *);
typedef int compile_fn(program, int, const char *const *);
typedef int size_fn(program, size_t *);
typedef int text_fn(program, char *);

static const char *const headers[] = {
    "kernels/lane/target.h",        "kernels/lane/lane.h",   "kernels/lane/lane_cuda.h",
    "kernels/lane/exact.h",         "kernels/lane/maths.h",  "kernels/lane/maths_double.h",
    "kernels/lane/maths_single.h",  "kernels/lane/normal.h", "kernels/lane/normal_single.h",
    "kernels/lane/narrow.h",        "kernels/lane/rows.h",   "kernels/lane/normal_double.h",
    "kernels/lane/normal_rows.inc",
};
enum { HEADERS = sizeof headers / sizeof headers[0] };

static char *file_read(const char *root, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    if (!file || !text || fread(text, 1, (1 << 20) - 1, file) == 0) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

static void *library(void)
{
    const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
                                 "/usr/local/cuda/lib64/libnvrtc.so"};
    void *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; ++i)
        found = dlopen(names[i], RTLD_NOW);
    return found;
}

static char *output(void *nvrtc, program p, const char *size_name, const char *text_name)
{
    size_t size = 0;
    ((size_fn *)dlsym(nvrtc, size_name))(p, &size);
    char *text = calloc(1, size + 1);
    if (text) ((text_fn *)dlsym(nvrtc, text_name))(p, text);
    return text;
}

int main(int argc, char **argv)
{
    void *nvrtc = library();
    if (!nvrtc || argc < 2) return 77;
    const char *texts[HEADERS];
    for (int i = 0; i < HEADERS; ++i) texts[i] = file_read(argv[1], headers[i]);
    program p = NULL;
    ((create_fn *)dlsym(nvrtc, "nvrtcCreateProgram"))(&p, file_read(argv[1], "tests/lane_probe.c"),
                                                      "lane_probe.cu", HEADERS, texts, headers);
    if (((compile_fn *)dlsym(nvrtc, "nvrtcCompileProgram"))(p, argc - 2,
                                                            (const char *const *)(argv + 2)) != 0) {
        fputs(output(nvrtc, p, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog"), stderr);
        return 1;
    }
    fputs(output(nvrtc, p, "nvrtcGetPTXSize", "nvrtcGetPTX"), stdout);
    return 0;
}
