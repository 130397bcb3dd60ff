/* device_names.c: see device_names.h. */
#include "engine/run/device_names.h"

#include <stdio.h>
#include <string.h>

enum { LIST_DIGITS = 4 }; /* of an ordinal */

static levy_status list_refuse(const char *name, char *why, size_t size)
{
    snprintf(why, size,
             "'%.100s' is not a device: use auto, cpu, cuda, cuda:N, cuda:all or a list such as "
             "cuda:0,2",
             name);
    return LEVY_ARGUMENT;
}

/* One ordinal, without leading zeros. The characters that it takes; 0: there is none. */
static size_t list_ordinal(const char *text, int32_t *ordinal)
{
    const size_t length = strspn(text, "0123456789");
    if (length == 0 || length > LIST_DIGITS || (length > 1 && text[0] == '0')) return 0;
    *ordinal = 0;
    for (size_t i = 0; i < length; ++i) *ordinal = 10 * *ordinal + (text[i] - '0');
    return length;
}

static bool list_has(const levy_device_names *list, int32_t ordinal)
{
    for (size_t i = 0; i < list->count; ++i)
        if (list->ordinals[i] == ordinal) return true;
    return false;
}

static levy_status list_add(const char *name, levy_device_names *list, int32_t ordinal, char *why,
                            size_t size)
{
    if (list_has(list, ordinal)) {
        snprintf(why, size, "'%.100s' names cuda:%d twice", name, (int)ordinal);
        return LEVY_ARGUMENT;
    }
    if (list->count == LEVY_DEVICES_MOST) {
        snprintf(why, size, "'%.100s' names more than %d GPUs", name, LEVY_DEVICES_MOST);
        return LEVY_ARGUMENT;
    }
    list->ordinals[list->count++] = ordinal;
    return LEVY_OK;
}

levy_status levy_device_names_read(const char *name, levy_device_names *list, char *why,
                                   size_t size)
{
    *list = (levy_device_names){.kind = LEVY_DEVICE_AUTO};
    if (!name || !strcmp(name, "auto")) return LEVY_OK;
    list->kind = LEVY_DEVICE_CPU;
    if (!strcmp(name, "cpu")) return LEVY_OK;
    list->kind = LEVY_DEVICE_FIRST;
    if (!strcmp(name, "cuda")) return LEVY_OK;
    list->kind = LEVY_DEVICE_ALL;
    if (!strcmp(name, "cuda:all")) return LEVY_OK;
    list->kind = LEVY_DEVICE_LIST;
    if (strncmp(name, "cuda:", 5) != 0) return list_refuse(name, why, size);
    for (const char *at = name + 5;; ++at) {
        int32_t ordinal = 0;
        const size_t length = list_ordinal(at, &ordinal);
        if (length == 0) return list_refuse(name, why, size);
        LEVY_TRY(list_add(name, list, ordinal, why, size));
        at += length;
        if (*at == '\0') return LEVY_OK;
        if (*at != ',') return list_refuse(name, why, size);
    }
}
