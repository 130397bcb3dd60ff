/* api_abi.c: levy_abi: where the members of the public structs lie, for bindings that cannot read
 * levy.h. */
#include "engine/levy.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct abi_member {
    const char *name;
    size_t offset, size;
    char kind;
} abi_member;

typedef struct abi_output {
    levy_writer write;
    void *user;
    int failed;
} abi_output;

static void abi_put(abi_output *out, const char *text)
{
    if (!out->failed) out->failed = out->write(out->user, text, strlen(text));
}

static void abi_put_struct(abi_output *out, const char *name, size_t size,
                           const abi_member *members, size_t n)
{
    char piece[128];
    snprintf(piece, sizeof piece, "%s %zu", name, size);
    abi_put(out, piece);
    for (size_t i = 0; i < n; ++i) {
        snprintf(piece, sizeof piece, " %s@%zu:%zu:%c", members[i].name, members[i].offset,
                 members[i].size, members[i].kind);
        abi_put(out, piece);
    }
    abi_put(out, "\n");
}

int levy_abi(levy_writer write, void *user)
{
    abi_output out = {.write = write, .user = user};
    if (!write) return LEVY_STATUS_ARGUMENT;
/* clang-format cannot lay out _Generic, which takes arrays for pointers. */
/* clang-format off */
#define KIND(member)                                                                               \
    _Generic(((abi_type *)0)->member, double: 'd', int: 'i', int64_t: 'i', uint32_t: 'u',          \
             uint64_t: 'u', const char *: 's', default: 'p')
#define MEMBER(member, kind)                                                                       \
    {#member, offsetof(abi_type, member), sizeof(((abi_type *)0)->member), kind}
#define M(member) MEMBER(member, KIND(member))
#define DOUBLES(member) MEMBER(member, 'd')
#define STRUCT(name, ...)                                                                          \
    {                                                                                              \
        typedef levy_##name abi_type;                                                              \
        static const abi_member members[] = {__VA_ARGS__};                                         \
        abi_put_struct(&out, "levy_" #name, sizeof(abi_type), members,                             \
                       sizeof members / sizeof *members);                                          \
    }
/* clang-format on */
#include "engine/api/api_abi.def"
    return out.failed ? LEVY_STATUS_IO : LEVY_STATUS_OK;
}
