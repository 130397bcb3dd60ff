/* header_alone.c: levy.h alone, under the strictest flags, as C11 and as C++17
 * (tests/test_header.sh compiles it both ways and links it with the shared library): nothing before
 * it, every type complete, every function exported. */
#include "engine/levy.h"

#include "engine/levy.h" /* twice is once */

int main(void)
{
    levy_context *context;
    levy_context_options options = {0};
    options.struct_size = sizeof options;
    if (levy_context_create(&options, &context) != LEVY_STATUS_OK) return 1;
    const int empty =
        levy_diagnostic_count(context) == 0 && levy_diagnostic_get(context, 0) == NULL;
    levy_book *book;
    const int refused =
        levy_book_load_text(context, "nothing.yaml", "", 0, NULL, 0, &book) == LEVY_STATUS_INPUT &&
        book == NULL;
    levy_context_destroy(context);
    levy_context_destroy(NULL);
    return empty && refused && levy_version()[0] ? 0 : 1;
}
