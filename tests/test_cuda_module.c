/* test_cuda_module.c: what needs no open device: the list of GPUs, kernels built ahead of time, the
 * module and how it is found; and, where NVRTC is installed, the real compile for two
 * architectures. */
#include "engine/base/clock.h"
#include "tests/cuda_fixture.h"

#include "engine/run/backend_list.h"
#include "engine/run/device_names.h"
#include "engine/run/module.h"

#include <dlfcn.h>
#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

/* ---- Lists and builds ------------------------------------------------------------------------ */

typedef struct sink {
    char text[8192];
    size_t length;
    size_t stop_after;
} sink;

static int sink_write(void *user, const char *text, size_t length)
{
    sink *const s = user;
    if (s->stop_after && s->length + length > s->stop_after) return 1;
    assert_true(s->length + length < sizeof s->text);
    memcpy(s->text + s->length, text, length);
    s->length += length;
    return 0;
}

static void test_list_writes_an_object_per_device(void **state)
{
    (void)state;
    sink out = {.length = 0};
    fake.devices = 2;
    assert_int_equal(levy_device_list(fake_cuda_calls(), sink_write, &out), LEVY_OK);
    size_t at = 0;
    for (int i = 0; i < 2; ++i) {
        char name[16];
        const size_t length = strcspn(out.text + at, "\n");
        json_t *const object = json_loadb(out.text + at, length, 0, NULL);
        assert_non_null(object);
        snprintf(name, sizeof name, "cuda:%d", i);
        assert_string_equal(json_string_value(json_object_get(object, "device")), name);
        assert_string_equal(json_string_value(json_object_get(object, "architecture")), "sm_90");
        assert_string_equal(json_string_value(json_object_get(object, "driver_cuda")), "13.0");
        assert_int_equal(strncmp(json_string_value(json_object_get(object, "name")), "Fake \"", 6),
                         0);
        assert_int_equal(strlen(json_string_value(json_object_get(object, "uuid"))), 40);
        assert_true(json_is_true(json_object_get(object, "usable")));
        json_decref(object);
        at += length + 1;
    }
    assert_int_equal(at, out.length);
}

/* Free memory, load and links are NVML's, and absent where it does not know. */
static void test_list_has_what_nvml_knows(void **state)
{
    (void)state;
    sink out = {.length = 0};
    fake.devices = 3;
    fake.monitor = true;
    fake.full[1] = (size_t)1 << 29;
    assert_int_equal(levy_device_list(fake_cuda_calls(), sink_write, &out), LEVY_OK);
    assert_non_null(strstr(out.text, "\"memory_bytes\": 1073741824, \"free_bytes\": 1073741824, "
                                     "\"load\": 0.04, \"links\": \"cuda:1 nvlink, cuda:2 pci\", "
                                     "\"driver_cuda\""));
    assert_non_null(strstr(out.text, "\"free_bytes\": 536870912, \"load\": 1.00, \"links\": "
                                     "\"cuda:0 nvlink, cuda:2 pci\""));
    assert_non_null(strstr(out.text, "\"free_bytes\": 1073741824, \"links\": \"cuda:0 pci, "
                                     "cuda:1 pci\""));
    assert_int_equal(fake.held, 0);
    assert_int_equal(fake.misuse, 0);
    fake.monitor = false;
    out.length = 0;
    assert_int_equal(levy_device_list(fake_cuda_calls(), sink_write, &out), LEVY_OK);
    out.text[out.length] = '\0';
    assert_null(strstr(out.text, "free_bytes"));
}

static void test_list_without_a_driver_says_why(void **state)
{
    (void)state;
    sink out = {.length = 0};
    fake.driver_status = LEVY_DEVICE;
    assert_int_equal(levy_device_list(fake_cuda_calls(), sink_write, &out), LEVY_OK);
    assert_string_equal(
        out.text,
        "{\"device\": \"cuda\", \"usable\": false, \"reason\": \"no NVIDIA driver: fake\"}\n");
    sink stopped = {.stop_after = 1};
    assert_int_equal(levy_device_list(fake_cuda_calls(), sink_write, &stopped), LEVY_IO);
}

static void test_list_survives_every_failing_call(void **state)
{
    (void)state;
    for (long n = 1; n < 40; ++n) {
        sink out = {.length = 0};
        fake_cuda_reset();
        fake.devices = 2;
        fake.fail_at = n;
        fake.fail_code = n % 2 ? 700 : 1;
        assert_int_equal(levy_device_list(fake_cuda_calls(), sink_write, &out), LEVY_OK);
        assert_int_equal(fake.calls_after_fatal, 0);
        assert_true(out.length > 0);
    }
}

static void test_build_needs_no_driver(void **state)
{
    (void)state;
    cuda_image image;
    char report[1024];
    levy_backend_options o = options();
    cuda_image_make(&image, 2, 100.0);
    const levy_tile tile = cuda_image_tile(0, 2);
    fake.driver_status = LEVY_DEVICE;
    assert_int_equal(levy_cuda_build(fake_cuda_calls(), &o, "sm_90", &image.header, &tile, 1,
                                     report, sizeof report, why),
                     LEVY_OK);
    assert_non_null(strstr(report, "sm_90 double, 1 assets, 2 items, 2 outputs: compiled in "));
    assert_non_null(strstr(report, " B, 4 paths per thread, 105096 B shared\n"));
    assert_int_equal(fake.held, 0);
}

static void test_build_refuses_what_is_no_architecture(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "90", "sm_", "sm_x", "sm_90 ", "compute_90", "sm_9000"};
    cuda_image image;
    char report[64];
    levy_backend_options o = options();
    cuda_image_make(&image, 1, 100.0);
    const levy_tile tile = cuda_image_tile(0, 1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        assert_int_equal(levy_cuda_build(fake_cuda_calls(), &o, wrong[i], &image.header, &tile, 1,
                                         report, sizeof report, why),
                         LEVY_ARGUMENT);
        assert_non_null(strstr(why, "is no architecture"));
    }
    assert_int_equal(levy_cuda_build(fake_cuda_calls(), &o, "sm_70", &image.header, &tile, 1,
                                     report, sizeof report, why),
                     LEVY_UNSUPPORTED);
}

/* ---- The real NVRTC -------------------------------------------------------------------------- */

static void compile_for(const levy_cuda_calls *calls, const char *architecture, uint32_t precision)
{
    cuda_image image;
    char text[LEVY_SHAPE_TEXT_SIZE];
    levy_jit_target target = {.ptx = false};
    levy_jit_kernel kernel;
    cuda_image_make(&image, 2, 100.0);
    image.header.precision = precision;
    shape_of(&image, cuda_image_tile(0, 2), text);
    snprintf(target.architecture, sizeof target.architecture, "%s", architecture);
    const levy_status status = levy_jit_compile(calls, &memory, &target, text, NULL, &kernel, why);
    if (status != LEVY_OK)
        print_message("%s: %s\n%s\n", architecture, why, kernel.log ? kernel.log : "");
    assert_int_equal(status, LEVY_OK);
    const levy_jit_usage usage = levy_jit_usage_of(&kernel);
    assert_false(usage.warned);
    assert_in_range(usage.registers, 16, 255);
    /* how many is the kernel's affair, and in the build's report */
    assert_true(usage.stack >= 0 && usage.spilled >= 0);
    assert_memory_equal(kernel.data,
                        "\x7f"
                        "ELF",
                        4);
    levy_jit_release(&memory, &kernel);
}

static void test_nvrtc_compiles_for_sm_80_and_sm_90(void **state)
{
    (void)state;
    levy_cuda_calls calls = load_nvrtc();
    /* NVRTC itself is slow under a sanitizer */
    for (uint32_t precision = 0; precision < (LEVY_SANITIZED ? 1 : 2); ++precision) {
        if (precision || LEVY_TEST_FULL) compile_for(&calls, "sm_80", precision);
        if (!precision || LEVY_TEST_FULL) compile_for(&calls, "sm_90", precision);
    }
    calls.unload(&calls);
}

static void test_nvrtc_names_the_line_of_an_error(void **state)
{
    (void)state;
    levy_cuda_calls calls = load_nvrtc();
    const levy_jit_target target = {.architecture = "sm_90"};
    levy_jit_kernel kernel;
    assert_int_equal(
        levy_jit_compile(&calls, &memory, &target, "int broken = ;\n", NULL, &kernel, why),
        LEVY_INTERNAL);
    assert_non_null(strstr(why, "levy_shape.cu(1): error:"));
    levy_jit_release(&memory, &kernel);
    calls.unload(&calls);
}

static int second_time(void *user) { return ++*(int *)user >= 2; }

/* Told at its first question, after the one before it begins. */
static void test_nvrtc_is_told_to_end(void **state)
{
    (void)state;
    int asked = 0;
    cuda_image image;
    char text[LEVY_SHAPE_TEXT_SIZE];
    const levy_cancel cancel = {.poll = second_time, .user = &asked};
    levy_jit_stop stop = {.cancel = &cancel};
    levy_cuda_calls calls = load_nvrtc();
    const levy_jit_target target = {.architecture = "sm_90"};
    levy_jit_kernel kernel;
    if (!calls.nvrtc_flow) {
        print_message("skipped: this NVRTC has no nvrtcSetFlowCallback\n");
        skip();
    }
    cuda_image_make(&image, 2, 100.0);
    shape_of(&image, cuda_image_tile(0, 2), text);
    const double start = levy_clock_now();
    assert_int_equal(levy_jit_compile(&calls, &memory, &target, text, &stop, &kernel, why),
                     LEVY_CANCELLED);
    print_message("%d questions, %.2f s\n", asked, levy_clock_now() - start);
    assert_true(asked >= 2 && !kernel.data);
    levy_jit_release(&memory, &kernel);
    calls.unload(&calls);
}

static void test_nvrtc_newer_than_the_driver_is_not_taken(void **state)
{
    (void)state;
    levy_cuda_calls calls = load_nvrtc();
    calls.unload(&calls);
    assert_int_equal(calls.load_compiler(&calls, 11, why), LEVY_DEVICE);
    assert_non_null(strstr(why, "the NVIDIA driver is too old: it supports CUDA 11, but the NVRTC "
                                "library found is of CUDA 1"));
}

/* ---- The module ------------------------------------------------------------------------------ */

static void test_module_is_found_and_greets(void **state)
{
    (void)state;
    levy_backend backend = {0};
    assert_int_equal(levy_module_load(LEVY_LIBRARY_DIR "/levy", &backend, why), LEVY_OK);
    assert_string_equal(backend.name, "cuda");
    assert_non_null(backend.build);
    assert_non_null(backend.cache);
    assert_int_equal(levy_module_load("/nonexistent", &backend, why), LEVY_DEVICE);
    assert_string_equal(why,
                        "no CUDA module: there is no readable liblevy-cuda.so in /nonexistent");
    /* without a driver nobody is told of a module first */
    const bool driver = access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
    const char *const first = driver ? "no CUDA module: " : "no GPU found: no CUDA module: ";
    if (levy_module_load(NULL, &backend, why) == LEVY_OK) return; /* this machine has levy */
    assert_memory_equal(why, first, strlen(first));
}

static void test_module_exports_one_symbol_and_checks_its_host(void **state)
{
    (void)state;
    void *const module = dlopen(LEVY_LIBRARY_DIR "/levy/liblevy-cuda.so", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(module);
    assert_null(dlsym(module, "levy_cuda_open"));
    assert_null(dlsym(module, "levy_memory_allocate"));
    void *const symbol = dlsym(module, "levy_module_entry");
    levy_module_entry_fn entry = NULL;
    memcpy(&entry, &symbol, sizeof entry);
    levy_backend backend = {0};
    levy_host_table host = {LEVY_BACKEND_VERSION, sizeof host, LEVY_BUILD_ID};
    assert_int_equal(entry(&host, &backend, why), LEVY_OK);
    host.version = 99;
    assert_int_equal(entry(&host, &backend, why), LEVY_UNSUPPORTED);
    assert_non_null(strstr(why, "its host version 99"));
    host.version = LEVY_BACKEND_VERSION;
    host.build_id = "levy 9.9";
    assert_int_equal(entry(&host, &backend, why), LEVY_UNSUPPORTED);
    assert_non_null(strstr(why, "'levy 9.9'"));
    static const char *const others[] = {
        LEVY_BUILD_ID "0", /* image 50 for 5, and so on */
        "levy " LEVY_VERSION " contract " LEVY_QUOTE(LEVY_CONTRACT) " image 2",
        "levy " LEVY_VERSION " contract 1 image " LEVY_QUOTE(LEVY_IMAGE_VERSION)};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        host.build_id = others[i];
        assert_int_equal(entry(&host, &backend, why), LEVY_UNSUPPORTED);
    }
    char expected[64];
    snprintf(expected, sizeof expected, "levy %d.%d.%d contract %d image %u", LEVY_VERSION_MAJOR,
             LEVY_VERSION_MINOR, LEVY_VERSION_PATCH, LEVY_CONTRACT, (unsigned)LEVY_IMAGE_VERSION);
    assert_string_equal(LEVY_BUILD_ID, expected);
    dlclose(module);
}

static void test_module_that_is_none_is_refused(void **state)
{
    (void)state;
    levy_backend backend = {0};
    char folder[] = "/tmp/levy-module-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/liblevy-cuda.so", folder);
    FILE *const file = fopen(path, "w");
    fputs("no library", file);
    fclose(file);
    assert_int_equal(levy_module_load(folder, &backend, why), LEVY_DEVICE);
    assert_non_null(strstr(why, "the CUDA module cannot be loaded: "));
    remove(path);
    remove(folder);
}

static levy_device_names names(const char *name)
{
    levy_device_names list;
    assert_int_equal(levy_device_names_read(name, &list, why, sizeof why), LEVY_OK);
    return list;
}

static void test_backend_names(void **state)
{
    (void)state;
    assert_int_equal(names(NULL).kind, LEVY_DEVICE_AUTO);
    assert_int_equal(names("cuda").kind, LEVY_DEVICE_FIRST);
    assert_int_equal(names("cuda:12").ordinals[0], 12);
    assert_int_equal(names("cuda:all").kind, LEVY_DEVICE_ALL);
    const levy_device_names three = names("cuda:4,0,11");
    assert_int_equal(three.count, 3);
    assert_int_equal(three.ordinals[0], 4);
    assert_int_equal(three.ordinals[2], 11);
    static const char *const wrong[] = {"",          "gpu",        "cuda:",    "cuda:x",
                                        "cuda:-1",   "cuda:01",    "CPU",      "cuda:12345",
                                        "cuda:0,",   "cuda:,1",    "cuda:0;1", "cuda:all,0",
                                        "cuda:0, 1", "cuda:0,all", "cuda:ALL"};
    levy_device_names list;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        assert_int_equal(levy_device_names_read(wrong[i], &list, why, sizeof why), LEVY_ARGUMENT);
        assert_non_null(strstr(why, "is not a device: use auto, cpu, cuda, cuda:N, cuda:all"));
    }
    assert_int_equal(levy_device_names_read("cuda:1,0,1", &list, why, sizeof why), LEVY_ARGUMENT);
    assert_string_equal(why, "'cuda:1,0,1' names cuda:1 twice");
    char many[256] = "cuda:0";
    for (int i = 1; i <= LEVY_DEVICES_MOST; ++i)
        snprintf(many + strlen(many), sizeof many - strlen(many), ",%d", i);
    assert_int_equal(levy_device_names_read(many, &list, why, sizeof why), LEVY_ARGUMENT);
    assert_non_null(strstr(why, "names more than 32 GPUs"));
}

static void test_choose_falls_back_to_the_cpu_and_says_why(void **state)
{
    (void)state;
    levy_backend backend;
    void *opened = NULL;
    levy_backend_options o = options();
    o.memory = &levy_memory_default;
    o.threads = 1;
    assert_int_equal(levy_backend_choose("auto", &o, "/nonexistent", &backend, &opened, why),
                     LEVY_OK);
    assert_string_equal(backend.name, "cpu");
    assert_non_null(strstr(why, "no CUDA module"));
    backend.close(opened);
    assert_int_equal(levy_backend_choose("cpu", &o, "/nonexistent", &backend, &opened, why),
                     LEVY_OK);
    assert_string_equal(why, "");
    backend.close(opened);
    assert_int_equal(levy_backend_choose("cuda:1", &o, "/nonexistent", &backend, &opened, why),
                     LEVY_DEVICE);
    assert_int_equal(levy_backend_choose("tpu", &o, NULL, &backend, &opened, why), LEVY_ARGUMENT);
    assert_string_equal(why, "'tpu' is not a device: use auto, cpu, cuda, cuda:N, cuda:all or a "
                             "list such as cuda:0,2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CUDA_CASE(test_list_writes_an_object_per_device),
        CUDA_CASE(test_list_has_what_nvml_knows),
        CUDA_CASE(test_list_without_a_driver_says_why),
        CUDA_CASE(test_list_survives_every_failing_call),
        CUDA_CASE(test_build_needs_no_driver),
        CUDA_CASE(test_build_refuses_what_is_no_architecture),
        CUDA_CASE(test_nvrtc_compiles_for_sm_80_and_sm_90),
        CUDA_CASE(test_nvrtc_names_the_line_of_an_error),
        CUDA_CASE(test_nvrtc_is_told_to_end),
        CUDA_CASE(test_nvrtc_newer_than_the_driver_is_not_taken),
        CUDA_CASE(test_module_is_found_and_greets),
        CUDA_CASE(test_module_exports_one_symbol_and_checks_its_host),
        CUDA_CASE(test_module_that_is_none_is_refused),
        CUDA_CASE(test_backend_names),
        CUDA_CASE(test_choose_falls_back_to_the_cpu_and_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
