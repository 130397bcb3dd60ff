/* api_text.c: what the engine says of itself. See levy.h. */
#include "engine/book/handles.h"

#include "engine/report/report.h"
#include "engine/schema/kind_file.h"
#include "engine/schema/schema.h"

#include <string.h>

/* Writes what is said of a word; kinds NULL: of levy's own. */
typedef levy_status text_put(const char *word, const levy_more_kinds *kinds, levy_text_out *out);

/* Words of the input, and of results. */
static levy_status text_describe(const char *word, const levy_more_kinds *kinds, levy_text_out *out)
{
    const levy_status status = levy_schema_describe(word, kinds, out);
    if (!word || (status != LEVY_OK && status != LEVY_ARGUMENT)) return status;
    return levy_report_describe(word, status == LEVY_OK, out) ? LEVY_OK : status;
}

static levy_status text_schema(const char *of, const levy_more_kinds *kinds, levy_text_out *out)
{
    const bool kind = of && strcmp(of, "kind") == 0;
    if (of && !kind && strcmp(of, "input") != 0) return LEVY_ARGUMENT;
    levy_schema_write_json(kind ? &levy_kind_file_table : &levy_book_table, kinds, out);
    return LEVY_OK;
}

static int text_own(const char *word, text_put *put, levy_writer write, void *user)
{
    levy_text_out out;
    if (!write) return LEVY_STATUS_ARGUMENT;
    levy_text_out_init(&out, write, user);
    return levy_text_finish(&out, (int)put(word, NULL, &out));
}

int levy_describe(const char *topic, levy_writer write, void *user)
{
    return text_own(topic, text_describe, write, user);
}

int levy_template(const char *kind, levy_writer write, void *user)
{
    return text_own(kind, levy_schema_template, write, user);
}

int levy_schema(levy_writer write, void *user) { return text_own(NULL, text_schema, write, user); }

int levy_report_schema(int format, levy_writer write, void *user)
{
    levy_text_out out;
    if (!write || (format != LEVY_FORMAT_JSON && format != LEVY_FORMAT_JSONL))
        return LEVY_STATUS_ARGUMENT;
    levy_text_out_init(&out, write, user);
    levy_report_write_schema(format == LEVY_FORMAT_JSONL, &out);
    return levy_text_finish(&out, LEVY_STATUS_OK);
}

/* ---- With the kinds of a context ---- */

static int text_of(levy_context *context, const char *word, text_put *put, levy_writer write,
                   void *user)
{
    if (!context || !write)
        return levy_call_refuse(context, context ? "write" : "context", "is NULL");
    levy_call_begin(context);
    levy_quotes *quotes = NULL;
    levy_text_out out;
    levy_text_out_init(&out, write, user);
    levy_status status = levy_kinds_load(context, &quotes);
    if (status == LEVY_OK) status = put(word, levy_quotes_kinds(quotes), &out);
    status = (levy_status)levy_text_finish(&out, (int)status);
    if (status == LEVY_ARGUMENT && word && levy_catalog_is_unpriced(word))
        levy_fault_add(&context->faults, LEVY_REASON_UNSUPPORTED, NULL, "kind", NULL,
                       "'%s' is not priced yet", word);
    const int ended = levy_call_end(context, (int)status);
    levy_quotes_destroy(quotes);
    return ended;
}

int levy_context_describe(levy_context *context, const char *topic, levy_writer write, void *user)
{
    return text_of(context, topic, text_describe, write, user);
}

int levy_context_template(levy_context *context, const char *kind, levy_writer write, void *user)
{
    return text_of(context, kind, levy_schema_template, write, user);
}

int levy_context_schema(levy_context *context, const char *of, levy_writer write, void *user)
{
    return text_of(context, of, text_schema, write, user);
}
