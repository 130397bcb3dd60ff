/* xml_check.c: see xml_check.h. */
#include "tests/xml_check.h"

#include <string.h>

enum { XML_DEPTH = 32, XML_NAME = 64 };

typedef struct xml_reader {
    const char *at;
    char open[XML_DEPTH][XML_NAME];
    size_t depth;
    xml_facts facts;
} xml_reader;

static bool xml_refuse(xml_reader *r, const char *fault)
{
    r->facts.fault = fault;
    return false;
}

static bool xml_is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("_:.-", c);
}

static size_t xml_name(const char *at)
{
    size_t n = 0;
    while (at[n] && xml_is_name(at[n])) ++n;
    return n;
}

static void xml_space(xml_reader *r) { r->at += strspn(r->at, " \t\r\n"); }

/* Characters up to `end`: an ampersand begins an entity, nothing below a space, no '<'. */
static bool xml_characters(xml_reader *r, char end)
{
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    while (*r->at && *r->at != end) {
        if (*r->at == '<') return xml_refuse(r, "a < in a text");
        if ((unsigned char)*r->at < 0x20 && !strchr("\t\r\n", *r->at))
            return xml_refuse(r, "a control character");
        size_t length = *r->at == '&' ? 0 : 1;
        for (size_t i = 0; i < 5 && length == 0; ++i)
            if (strncmp(r->at, entities[i], strlen(entities[i])) == 0) length = strlen(entities[i]);
        if (length == 0) return xml_refuse(r, "an ampersand that begins no entity");
        r->at += length;
    }
    return *r->at == end || xml_refuse(r, "the end came early");
}

static bool xml_attributes(xml_reader *r)
{
    char seen[16][XML_NAME];
    for (size_t n = 0;; ++n) {
        const char *before = r->at;
        xml_space(r);
        if (*r->at == '>' || *r->at == '/' || *r->at == '?') return true;
        const size_t length = xml_name(r->at);
        if (before == r->at || length == 0 || length >= XML_NAME || n == 16)
            return xml_refuse(r, "an attribute is due");
        memcpy(seen[n], r->at, length);
        seen[n][length] = '\0';
        for (size_t i = 0; i < n; ++i)
            if (strcmp(seen[i], seen[n]) == 0) return xml_refuse(r, "an attribute stands twice");
        r->at += length;
        if (r->at[0] != '=' || r->at[1] != '"')
            return xml_refuse(r, "an attribute without a quoted value");
        r->at += 2;
        if (!xml_characters(r, '"')) return false;
        r->at++;
    }
}

static bool xml_open(xml_reader *r)
{
    const size_t length = xml_name(++r->at);
    if (length == 0 || length >= XML_NAME || r->depth == XML_DEPTH)
        return xml_refuse(r, "an element's name is due");
    memcpy(r->open[r->depth], r->at, length);
    r->open[r->depth++][length] = '\0';
    r->at += length;
    r->facts.elements++;
    if (r->depth > r->facts.deepest) r->facts.deepest = r->depth;
    if (!xml_attributes(r)) return false;
    if (*r->at == '/') {
        r->at++;
        r->depth--;
    }
    return *r->at++ == '>' || xml_refuse(r, "an element's > is due");
}

static bool xml_close(xml_reader *r)
{
    const size_t length = xml_name(r->at += 2);
    if (r->depth == 0 || strlen(r->open[r->depth - 1]) != length ||
        memcmp(r->open[r->depth - 1], r->at, length) != 0)
        return xml_refuse(r, "an end without its beginning");
    r->depth--;
    r->at += length;
    return *r->at++ == '>' || xml_refuse(r, "an end's > is due");
}

xml_facts xml_check(const char *text)
{
    xml_reader r = {.at = text};
    if (strncmp(r.at, "<?xml ", 6) == 0) {
        r.at += 5;
        if (!xml_attributes(&r) || strncmp(r.at, "?>", 2) != 0) xml_refuse(&r, "the declaration");
        r.at += 2;
    }
    bool good = !r.facts.fault, root = false;
    while (good && *r.at) {
        if (*r.at == '<') {
            good = r.at[1] == '/'         ? xml_close(&r)
                   : r.depth > 0 || !root ? (root = true, xml_open(&r))
                                          : xml_refuse(&r, "two roots");
        } else if (r.depth > 0) {
            good = xml_characters(&r, '<');
        } else {
            const char *before = r.at;
            xml_space(&r);
            if (before == r.at) good = xml_refuse(&r, "text outside the root");
        }
    }
    if (good && (r.depth > 0 || !root)) xml_refuse(&r, "the end came early");
    return r.facts;
}

size_t xml_count(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what)) ++n;
    return n;
}
