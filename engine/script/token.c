/* token.c: see token.h. */
#include "engine/script/token.h"

#include "engine/base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const script_words[] = {"and", "at",  "else",   "if",   "let", "not",
                                           "or",  "pay", "report", "stop", "var"};
static const char *const script_signs[] = {"<=", ">=", "==", "!=", "+=", "-=", "*=", "<",
                                           ">",  "=",  "+",  "-",  "*",  "/",  "^",  "(",
                                           ")",  "[",  "]",  "{",  "}",  ","};

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

/* Passes over blanks, comments, and ends of lines within parentheses. */
static void scan_blanks(script_scanner *s)
{
    for (;;) {
        const char c = scan_peek(s, 0);
        if (c == '#') {
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

static bool scan_number(script_scanner *s, script_token *token)
{
    size_t n = 0;
    while (scan_is_digit(scan_peek(s, n)) || scan_peek(s, n) == '.') ++n;
    if (scan_peek(s, n) == 'e' || scan_peek(s, n) == 'E') {
        const size_t sign = scan_peek(s, n + 1) == '-' || scan_peek(s, n + 1) == '+';
        if (scan_is_digit(scan_peek(s, n + 1 + sign)))
            for (n += 2 + sign; scan_is_digit(scan_peek(s, n));) ++n;
    }
    if (levy_number_read(token->text, n, &token->value) != LEVY_NUMBER_OK ||
        scan_is_letter(scan_peek(s, n))) {
        while (scan_is_letter(scan_peek(s, n)) || scan_is_digit(scan_peek(s, n))) ++n;
        return levy_script_fail(s->fault, s->arena, token,
                                "Write numbers such as 0.05, 1e-3 or 60%.", "'%.*s' is no number",
                                (int)(n < 40 ? n : 40), token->text);
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

static bool scan_word(script_scanner *s, script_token *token)
{
    size_t n = 0;
    while (scan_is_letter(scan_peek(s, n)) || scan_is_digit(scan_peek(s, n))) ++n;
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

static bool scan_sign(script_scanner *s, script_token *token)
{
    for (size_t k = 0; k < sizeof script_signs / sizeof *script_signs; ++k) {
        const size_t n = strlen(script_signs[k]);
        if (s->at + n > s->length || memcmp(token->text, script_signs[k], n) != 0) continue;
        scan_take(s, token, (script_token_kind)(SCRIPT_T_NOT_ABOVE + k), n);
        if (token->kind == SCRIPT_T_OPEN || token->kind == SCRIPT_T_OPEN_LIST) ++s->depth;
        if (token->kind == SCRIPT_T_CLOSE || token->kind == SCRIPT_T_CLOSE_LIST)
            s->depth -= s->depth > 0;
        return true;
    }
    return levy_script_fail(s->fault, s->arena, token,
                            "A script has names, numbers, + - * / ^ and comparisons.",
                            "a character that has no meaning here");
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
