/* api_text.c: what the engine says of itself. See levy.h. */
#include "engine/levy.h"

#include "engine/report/report.h"
#include "engine/schema/schema.h"

int levy_describe(const char *topic, levy_writer write, void *user)
{
    return write ? (int)levy_schema_describe(topic, write, user) : LEVY_STATUS_ARGUMENT;
}

int levy_template(const char *kind, levy_writer write, void *user)
{
    return write ? (int)levy_schema_template(kind, write, user) : LEVY_STATUS_ARGUMENT;
}

int levy_schema(levy_writer write, void *user)
{
    return write ? (int)levy_schema_write_json(write, user) : LEVY_STATUS_ARGUMENT;
}

int levy_report_schema(int format, levy_writer write, void *user)
{
    if (!write || (format != LEVY_FORMAT_JSON && format != LEVY_FORMAT_JSONL))
        return LEVY_STATUS_ARGUMENT;
    return levy_report_write_schema(format == LEVY_FORMAT_JSONL, write, user);
}
