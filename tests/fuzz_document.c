/* fuzz_document.c: libFuzzer entry over the document reader and the schema reader. What it checks
 * beside the sanitizers: every fault has a message, its place lies in the text, its line is free of
 * control characters, and the status agrees with the faults. Small limits keep the speed up; the
 * first byte chooses among them. */
#include "engine/schema/book.h"
#include "engine/schema/schema.h"
#include "tests/fuzz.h"

#include <string.h>

static void fuzz_check_faults(const levy_fault_list *faults, size_t size)
{
    char line[4096];
    fuzz_require(!faults->out_of_memory);
    for (size_t i = 0; i < faults->count; ++i) {
        const levy_fault *fault = &faults->items[i];
        fuzz_require(fault->message[0] != '\0' && fault->path != NULL);
        fuzz_require(fault->place.line <= size + 2 && fault->place.column <= size + 2);
        levy_fault_line(fault, line, sizeof line);
        for (const char *c = line; *c; ++c) fuzz_require((unsigned char)*c >= 0x20 && *c != 0x7F);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const levy_limits small = {
        .depth = 8, .scalar_bytes = 64, .key_bytes = 16, .nodes = 200, .file_bytes = 4096};
    if (size == 0) return 0;
    levy_arena arena;
    levy_fault_list faults;
    levy_document document;
    levy_arena_init(&arena, NULL);
    levy_fault_list_init(&faults, NULL);
    const levy_status status =
        levy_document_read("fuzz.yaml", 0, (const char *)data + 1, size - 1,
                           data[0] & 1 ? &small : NULL, &arena, &faults, &document);
    fuzz_require((status == LEVY_OK) == (faults.errors == 0));
    const levy_reader reader = {&arena, &faults, -1, false, INT32_MIN, NULL};
    for (size_t i = 0; i < document.n_roots; ++i) {
        const size_t errors = faults.errors;
        levy_raw_book *book = levy_arena_allocate(&arena, 1, sizeof *book);
        fuzz_require(book != NULL);
        const bool good = levy_read_object(&reader, &levy_book_table, document.roots[i], "", book);
        fuzz_require(good == (faults.errors == errors));
    }
    levy_fault_list_sort(&faults);
    fuzz_check_faults(&faults, size);
    levy_fault_list_release(&faults);
    levy_arena_release(&arena);
    return 0;
}
