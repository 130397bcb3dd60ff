/* token.c: see token.h. */
#include "engine/script/token.h"

#include "engine/base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const script_words[] = {"and", "at",  "else",   "if",   "let", "not",
                                           "or",  "pay", "report", "stop", "var"};
enum { TOKEN_MOST_FAULTS = 20 }; /* that one text reports */

static const char *const script_signs[] = {"<=", ">=", "==", "!=", "+=", "-=", "*=", "<",
                                           ">",  "=",  "+",  "-",  "*",  "/",  "^",  "(",
                                           ")",  "[",  "]",  "{",  "}",  ",",  "?",  ":"};

/* Signs of other languages, before those that begin as they do. */
typedef struct token_sign {
    const char *text;
    script_token_kind kind;
    const char *word; /* of this language */
} token_sign;

static const token_sign token_foreign[] = {
    {"&&", SCRIPT_T_AND, "and"}, {"||", SCRIPT_T_OR, "or"},      {"**", SCRIPT_T_POWER, "^"},
    {":=", SCRIPT_T_SET, "="},   {"<>", SCRIPT_T_UNEQUAL, "!="}, {"!", SCRIPT_T_NOT, "not"}};

bool levy_script_fail(levy_script_fault *fault, levy_arena *arena, const script_token *at,
                      const char *hint, const char *format, ...)
{
    char text[400];
    va_list arguments;
    if (fault->message || fault->out_of_memory) return false;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fault->line = at->line;
    fault->column = at->column;
    fault->hint = hint ? hint : "docs/language.md has the grammar.";
    fault->message = levy_arena_copy_text(arena, text, strlen(text));
    fault->out_of_memory = !fault->message;
    return false;
}

const char *levy_script_token_name(const script_token *token, levy_arena *arena)
{
    return levy_arena_copy_text(arena, token->text, token->length);
}

bool levy_script_token_is(const script_token *token, const char *name)
{
    return strlen(name) == token->length && memcmp(name, token->text, token->length) == 0;
}

const char *levy_script_token_shown(const script_token *token, levy_arena *arena)
{
    const char *shown = NULL;
    if (token->kind == SCRIPT_T_END) return "the end of the script";
    if (token->kind == SCRIPT_T_LINE) return "the end of the line";
    shown = levy_arena_format(arena, "'%.*s'", (int)(token->length < 40 ? token->length : 40),
                              token->text);
    return shown ? shown : "this";
}

bool levy_script_note(levy_script_fault *fault, levy_arena *arena)
{
    levy_script_fault **at = &fault->next;
    if (fault->out_of_memory) return false;
    if (!fault->message) return true;
    levy_script_fault *const noted = levy_arena_allocate(arena, 1, sizeof *noted);
    if (!noted) return fault->out_of_memory = true, false;
    *noted = (levy_script_fault){.line = fault->line,
                                 .column = fault->column,
                                 .message = fault->message,
                                 .hint = fault->hint};
    fault->message = NULL;
    for (; *at; at = &(*at)->next) {
        if ((*at)->line > noted->line) break;
        if ((*at)->line == noted->line && (*at)->column > noted->column) break;
        if ((*at)->line == noted->line && (*at)->column == noted->column &&
            strcmp((*at)->message, noted->message) == 0)
            return !fault->ends; /* read again */
    }
    noted->next = *at;
    *at = noted;
    return ++fault->n < TOKEN_MOST_FAULTS && !fault->ends;
}

static bool scan_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool scan_is_digit(char c) { return c >= '0' && c <= '9'; }

static char scan_peek(const script_scanner *s, size_t ahead)
{
    return s->at + ahead < s->length ? s->text[s->at + ahead] : '\0';
}

static void scan_take(script_scanner *s, script_token *token, script_token_kind kind, size_t n)
{
    token->kind = kind;
    token->length = (uint32_t)n;
    s->at += n;
    s->column += (uint32_t)n;
}

static bool scan_begins_line(const script_scanner *s)
{
    size_t at = s->at;
    while (at > 0 && (s->text[at - 1] == ' ' || s->text[at - 1] == '\t')) --at;
    return at == 0 || s->text[at - 1] == '\n';
}

/* Passes over blanks, comments, and ends of lines within parentheses. */
static void scan_blanks(script_scanner *s)
{
    for (;;) {
        const char c = scan_peek(s, 0);
        if (c == '#') {
            while (s->at < s->length && s->text[s->at] != '\n') ++s->at;
        } else if (c == '/' && scan_peek(s, 1) == '/') {
            const script_token at = {.line = s->line, .column = s->column};
            levy_script_fail(s->fault, s->arena, &at, "Write # before a remark.",
                             "'//' begins no remark here");
            (void)levy_script_note(s->fault, s->arena);
            if (!scan_begins_line(s)) s->fault->unsure = true; /* or a division */
            while (s->at < s->length && s->text[s->at] != '\n') ++s->at;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            ++s->at;
            ++s->column;
        } else if (c == '\n' && s->depth > 0) {
            ++s->at;
            ++s->line;
            s->column = 1;
        } else {
            return;
        }
    }
}

/* 1,000 outside of parentheses, where a comma parts nothing. */
static bool scan_thousands(script_scanner *s, script_token *token)
{
    char digits[32];
    size_t n = 0, kept = 0;
    while (scan_is_digit(scan_peek(s, n))) ++n;
    if (s->depth > 0 || n == 0 || n > 3 || *token->text == '0' || scan_peek(s, n) != ',')
        return false;
    while (scan_peek(s, n) == ',' && scan_is_digit(scan_peek(s, n + 1)) &&
           scan_is_digit(scan_peek(s, n + 2)) && scan_is_digit(scan_peek(s, n + 3)) &&
           !scan_is_digit(scan_peek(s, n + 4)))
        n += 4;
    for (size_t k = 0; k < n && kept + 1 < sizeof digits; ++k)
        if (scan_peek(s, k) != ',') digits[kept++] = scan_peek(s, k);
    digits[kept] = '\0';
    if (scan_peek(s, n) == ',' || levy_number_read(digits, kept, &token->value) != LEVY_NUMBER_OK)
        return false;
    const char *const hint = levy_arena_format(s->arena, "Write %s.", digits);
    if (!hint) return s->fault->out_of_memory = true;
    levy_script_fail(s->fault, s->arena, token, hint, "a number has no separators");
    scan_take(s, token, SCRIPT_T_NUMBER, n);
    return true;
}

/* The length of 2026-11-20, which would be the number 1995; or 0. */
static size_t scan_date(const script_scanner *s)
{
    static const char shape[] = "0000-00-00";
    size_t n = 0;
    while (shape[n] == '0' ? scan_is_digit(scan_peek(s, n)) : shape[n] && scan_peek(s, n) == '-')
        ++n;
    return shape[n] || scan_is_digit(scan_peek(s, n)) ? 0 : n;
}

static bool scan_number(script_scanner *s, script_token *token)
{
    const size_t date = scan_date(s);
    const bool has_zeros = scan_peek(s, 0) == '0' && scan_is_digit(scan_peek(s, 1)); /* 007 */
    size_t n = 0;
    if (scan_thousands(s, token)) return levy_script_note(s->fault, s->arena);
    if (date > 0) {
        levy_script_fail(s->fault, s->arena, token,
                         "Give it to a schedule by its name: schedules: {named: [2026-11-20]}.",
                         "a script has no dates; got '%.*s'", (int)date, token->text);
        scan_take(s, token, SCRIPT_T_NUMBER, date);
        return levy_script_note(s->fault, s->arena);
    }
    while (scan_is_digit(scan_peek(s, n)) || scan_peek(s, n) == '.') ++n;
    if (scan_peek(s, n) == 'e' || scan_peek(s, n) == 'E') {
        const size_t sign = scan_peek(s, n + 1) == '-' || scan_peek(s, n + 1) == '+';
        if (scan_is_digit(scan_peek(s, n + 1 + sign)))
            for (n += 2 + sign; scan_is_digit(scan_peek(s, n));) ++n;
    }
    if (has_zeros || levy_number_read(token->text, n, &token->value) != LEVY_NUMBER_OK ||
        scan_is_letter(scan_peek(s, n))) {
        while (scan_is_letter(scan_peek(s, n)) || scan_is_digit(scan_peek(s, n))) ++n;
        levy_script_fail(s->fault, s->arena, token, "Write numbers such as 0.05, 1e-3 or 60%.",
                         "'%.*s' is no number", (int)(n < 40 ? n : 40), token->text);
        scan_take(s, token, SCRIPT_T_NUMBER, n);
        return levy_script_note(s->fault, s->arena);
    }
    scan_take(s, token, SCRIPT_T_NUMBER, n);
    if (scan_peek(s, 0) == '%') {
        token->value /= 100.0;
        ++token->length;
        ++s->at;
        ++s->column;
    }
    return true;
}

/* The length of ".spot" or another word for a level, or of an asset's state, or 0. */
static size_t scan_part(const script_scanner *s, size_t at)
{
    static const char *const parts[] = {"spot",  "price", "level",    "value",
                                        "close", "last",  "variance", "integrated_variance"};
    size_t n = 1;
    if (scan_peek(s, at) != '.' || !s->arena) return 0;
    while (scan_is_letter(scan_peek(s, at + n)) || scan_is_digit(scan_peek(s, at + n))) ++n;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k)
        if (strlen(parts[k]) == n - 1 && memcmp(parts[k], s->text + s->at + at + 1, n - 1) == 0)
            return n;
    return 0;
}

/* S.variance is one word, and so is S.spot, which names nothing. */
static bool scan_word(script_scanner *s, script_token *token)
{
    size_t n = 0;
    while (scan_is_letter(scan_peek(s, n)) || scan_is_digit(scan_peek(s, n))) ++n;
    n += scan_part(s, n);
    scan_take(s, token, SCRIPT_T_NAME, n);
    for (size_t k = 0; k < sizeof script_words / sizeof *script_words; ++k)
        if (levy_script_token_is(token, script_words[k]))
            token->kind = (script_token_kind)(SCRIPT_T_AND + k);
    return true;
}

bool levy_script_scan_word(script_scanner *s, script_token *token)
{
    *token = (script_token){.text = s->text};
    return scan_is_letter(scan_peek(s, 0)) && scan_word(s, token);
}

static bool scan_is(const script_scanner *s, const char *text)
{
    const size_t n = strlen(text);
    return s->at + n <= s->length && memcmp(s->text + s->at, text, n) == 0;
}

static bool scan_foreign(script_scanner *s, script_token *token, const token_sign *sign)
{
    const char *const hint = levy_arena_format(s->arena, "Write %s.", sign->word);
    if (!hint) return s->fault->out_of_memory = true, false;
    levy_script_fail(s->fault, s->arena, token, hint, "'%s' is no sign of this language",
                     sign->text);
    scan_take(s, token, sign->kind, strlen(sign->text));
    return levy_script_note(s->fault, s->arena);
}

static bool scan_sign(script_scanner *s, script_token *token)
{
    for (size_t k = 0; k < sizeof token_foreign / sizeof *token_foreign; ++k)
        if (scan_is(s, token_foreign[k].text) && !scan_is(s, "!="))
            return scan_foreign(s, token, &token_foreign[k]);
    for (size_t k = 0; k < sizeof script_signs / sizeof *script_signs; ++k) {
        const size_t n = strlen(script_signs[k]);
        if (!scan_is(s, script_signs[k])) continue;
        scan_take(s, token, (script_token_kind)(SCRIPT_T_NOT_ABOVE + k), n);
        if (token->kind == SCRIPT_T_OPEN || token->kind == SCRIPT_T_OPEN_LIST) ++s->depth;
        if (token->kind == SCRIPT_T_CLOSE || token->kind == SCRIPT_T_CLOSE_LIST)
            s->depth -= s->depth > 0;
        return true;
    }
    scan_take(s, token, SCRIPT_T_STRANGE, 1);
    return true;
}

bool levy_script_scan(script_scanner *s, script_token *token)
{
    scan_blanks(s);
    *token = (script_token){.line = s->line, .column = s->column, .text = s->text + s->at};
    if (s->at >= s->length) return true; /* SCRIPT_T_END */
    const char c = s->text[s->at];
    if (c == '\n' || c == ';') {
        scan_take(s, token, SCRIPT_T_LINE, 1);
        if (c == '\n') {
            ++s->line;
            s->column = 1;
        }
        return true;
    }
    if (scan_is_digit(c) || (c == '.' && scan_is_digit(scan_peek(s, 1))))
        return scan_number(s, token);
    return scan_is_letter(c) ? scan_word(s, token) : scan_sign(s, token);
}
