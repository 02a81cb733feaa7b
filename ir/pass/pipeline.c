/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The text of pipelines: "builtin.module(func.func(cse,canonicalize{max-iterations=3}),dce)". */
#include "ir/diagnostics.h"
#include "ir/pass/pass_t.h"

#define MAX_NESTING 64

typedef struct Cursor {
  EchoPassManager *manager;
  EchoStr text;
  size_t at;
  unsigned depth;
} Cursor;

static bool fail_at(const Cursor *cursor, const char *message)
{
  return echo_error(cursor->manager->ctx, echo_loc_unknown(),
                    "pass pipeline '%.*s', column %zu: %s", ECHO_STR_ARG(cursor->text),
                    cursor->at + 1, message);
}

static bool fail_at_option(const Cursor *cursor, const EchoPass *pass, EchoStr name)
{
  EchoBuffer text = {0};
  echo_buffer_printf(&text, "%s has no option '%.*s'", pass->name, ECHO_STR_ARG(name));
  bool ok = fail_at(cursor, echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
  return ok;
}

static char peek(const Cursor *cursor)
{
  return cursor->at < cursor->text.size ? cursor->text.data[cursor->at] : '\0';
}

static void skip_space(Cursor *cursor)
{
  while (peek(cursor) == ' ' || peek(cursor) == '\n' || peek(cursor) == '\t')
    cursor->at++;
}

static bool try_char(Cursor *cursor, char c)
{
  skip_space(cursor);
  if (peek(cursor) != c)
    return false;
  cursor->at++;
  return true;
}

static EchoStr parse_name(Cursor *cursor)
{
  skip_space(cursor);
  size_t begin = cursor->at;
  while (cursor->at < cursor->text.size && strchr("(){}, \n\t", peek(cursor)) == NULL)
    cursor->at++;
  return (EchoStr){cursor->text.data + begin, cursor->at - begin};
}

static size_t find_option(const EchoPass *pass, EchoStr name)
{
  size_t index = 0, n_options = echo_pass_n_options(pass);
  while (index < n_options && !echo_str_is(name, pass->options[index].name))
    index++;
  return index;
}

static EchoStr option_name(const Cursor *cursor, size_t begin)
{
  size_t end = begin;
  while (end < cursor->text.size && strchr("=}, \n", cursor->text.data[end]) == NULL)
    end++;
  return (EchoStr){cursor->text.data + begin, end - begin};
}

/* Whether a comma parts two options: values may hold commas too, so the name of an option must
 * follow. */
static bool is_separator(const Cursor *cursor, const EchoPass *pass)
{
  return peek(cursor) == ',' &&
         find_option(pass, option_name(cursor, cursor->at + 1)) < echo_pass_n_options(pass);
}

/* The text of an option's value: up to a space, the next option or the closing brace, or a group in
 * braces or quotes, whose delimiters are dropped. */
static bool parse_option_value(Cursor *cursor, const EchoPass *pass, EchoStr *value)
{
  char open = peek(cursor);
  if (open == '"' || open == '\'') {
    size_t begin = ++cursor->at;
    while (cursor->at < cursor->text.size && peek(cursor) != open)
      cursor->at++;
    *value = (EchoStr){cursor->text.data + begin, cursor->at - begin};
    return try_char(cursor, open) || fail_at(cursor, "missing closing quote");
  }
  size_t begin = cursor->at;
  unsigned depth = 0;
  for (; cursor->at < cursor->text.size; cursor->at++) {
    char c = peek(cursor);
    if (depth == 0 && (c == ' ' || c == '}' || c == '\n' || is_separator(cursor, pass)))
      break;
    depth += c == '{';
    depth -= c == '}';
  }
  *value = (EchoStr){cursor->text.data + begin, cursor->at - begin};
  if (depth != 0)
    return fail_at(cursor, "missing '}'");
  if (value->size >= 2 && value->data[0] == '{')
    *value = (EchoStr){value->data + 1, value->size - 2};
  return true;
}

static bool parse_options(Cursor *cursor, EchoPipelineItem *item)
{
  const EchoPass *pass = item->pass;
  while (!try_char(cursor, '}')) {
    skip_space(cursor);
    size_t begin = cursor->at;
    EchoStr name = option_name(cursor, begin), value = ECHO_STR("true");
    cursor->at += name.size;
    if (name.size == 0)
      return fail_at(cursor, "expected an option or '}'");
    if (peek(cursor) == '=') {
      cursor->at++;
      if (!parse_option_value(cursor, pass, &value))
        return false;
    }
    size_t index = find_option(pass, name);
    if (index == echo_pass_n_options(pass)) {
      cursor->at = begin;
      return fail_at_option(cursor, pass, name);
    }
    if (item->option_values[index].data != pass->options[index].default_value) {
      cursor->at = begin;
      return fail_at(cursor, "this option is given twice");
    }
    if (is_separator(cursor, pass))
      cursor->at++;
    item->option_values[index] =
        echo_str(echo_arena_copy_string(&cursor->manager->arena, value.data, value.size));
  }
  return true;
}

static EchoPipelineItem make_item(EchoPassManager *manager, const EchoPass *pass)
{
  size_t n_options = echo_pass_n_options(pass), n_statistics = echo_pass_n_statistics(pass);
  EchoPipelineItem item = {.pass = pass};
  item.option_values = ECHO_ARENA_ARRAY(&manager->arena, EchoStr, n_options + 1);
  for (size_t i = 0; i < n_options; i++)
    item.option_values[i] = echo_str(pass->options[i].default_value);
  item.statistics = ECHO_ARENA_ARRAY(&manager->arena, uint64_t, n_statistics + 1);
  memset(item.statistics, 0, (n_statistics + 1) * sizeof(uint64_t));
  return item;
}

static EchoPipeline *make_nested(EchoPassManager *manager, EchoPipeline *parent, EchoStr anchor)
{
  /* A run of passes with the same anchor shares one nested pipeline, so that it walks the ops once.
   */
  if (parent->items.size > 0) {
    EchoPipelineItem *last = &echo_vector_last(&parent->items);
    if (last->nested != NULL && echo_str_equal(last->nested->anchor, anchor))
      return last->nested;
  }
  EchoPipeline *nested = ECHO_ARENA_NEW(&manager->arena, EchoPipeline);
  memset(nested, 0, sizeof *nested);
  nested->anchor = echo_context_intern(manager->ctx, anchor);
  echo_vector_push(&parent->items, (EchoPipelineItem){.nested = nested});
  return nested;
}

static bool parse_items(Cursor *cursor, EchoPipeline *pipeline);

static bool parse_pass(Cursor *cursor, EchoStr name, EchoPipeline *pipeline)
{
  EchoPassManager *manager = cursor->manager;
  const EchoPassAlias *alias = echo_pass_registry_alias_or_null(manager->registry, name);
  if (alias != NULL) {
    Cursor inner = {manager, echo_str(alias->pipeline), 0, cursor->depth + 1};
    return parse_items(&inner, pipeline);
  }
  const EchoPass *pass = echo_pass_registry_get_or_null(manager->registry, name);
  if (pass == NULL) {
    cursor->at -= name.size;
    return echo_error(
        manager->ctx, echo_loc_unknown(),
        "pass pipeline '%.*s', column %zu: '%.*s' does not refer to a registered pass "
        "or pass pipeline",
        ECHO_STR_ARG(cursor->text), cursor->at + 1, ECHO_STR_ARG(name));
  }
  EchoPipelineItem item = make_item(manager, pass);
  if (try_char(cursor, '{') && !parse_options(cursor, &item))
    return false;
  EchoPipeline *target = pipeline;
  if (pass->anchor != NULL && !echo_str_is(pipeline->anchor, pass->anchor))
    target = make_nested(manager, pipeline, echo_str(pass->anchor));
  echo_vector_push(&target->items, item);
  return true;
}

static bool parse_items(Cursor *cursor, EchoPipeline *pipeline)
{
  skip_space(cursor);
  if (peek(cursor) == ')' || cursor->at == cursor->text.size)
    return true;
  do {
    EchoStr name = parse_name(cursor);
    if (name.size == 0)
      return fail_at(cursor, "expected a pass name");
    if (!try_char(cursor, '(')) {
      if (!parse_pass(cursor, name, pipeline))
        return false;
      continue;
    }
    if (++cursor->depth > MAX_NESTING)
      return fail_at(cursor, "nested too deeply");
    if (!parse_items(cursor, make_nested(cursor->manager, pipeline, name)))
      return false;
    if (!try_char(cursor, ')'))
      return fail_at(cursor, "expected ')'");
    cursor->depth--;
  } while (try_char(cursor, ','));
  return true;
}

bool echo_pipeline_parse(EchoPassManager *manager, EchoStr text, EchoPipeline *pipeline)
{
  Cursor cursor = {manager, text, 0, 0};
  if (!parse_items(&cursor, pipeline))
    return false;
  skip_space(&cursor);
  return cursor.at == text.size || fail_at(&cursor, "expected ',' or the end");
}

static void print_option(const EchoPassOption *option, EchoStr value, bool *first, EchoBuffer *out)
{
  if (echo_str_is(value, option->default_value))
    return;
  echo_buffer_append_c(out, *first ? "{" : " ");
  *first = false;
  bool quote = memchr(value.data, ' ', value.size) != NULL || value.size == 0;
  echo_buffer_printf(out, quote ? "%s={%.*s}" : "%s=%.*s", option->name, ECHO_STR_ARG(value));
}

void echo_pipeline_print(const EchoPipeline *pipeline, EchoBuffer *out)
{
  echo_buffer_append_str(out, pipeline->anchor);
  echo_buffer_append_char(out, '(');
  for (size_t i = 0; i < pipeline->items.size; i++) {
    const EchoPipelineItem *item = &pipeline->items.data[i];
    if (i != 0)
      echo_buffer_append_char(out, ',');
    if (item->nested != NULL) {
      echo_pipeline_print(item->nested, out);
      continue;
    }
    echo_buffer_append_c(out, item->pass->name);
    bool first = true;
    for (size_t k = 0; k < echo_pass_n_options(item->pass); k++)
      print_option(&item->pass->options[k], item->option_values[k], &first, out);
    if (!first)
      echo_buffer_append_char(out, '}');
  }
  echo_buffer_append_char(out, ')');
}

void echo_pipeline_destroy(EchoPipeline *pipeline)
{
  for (size_t i = 0; i < pipeline->items.size; i++)
    if (pipeline->items.data[i].nested != NULL)
      echo_pipeline_destroy(pipeline->items.data[i].nested);
  echo_vector_destroy(&pipeline->items);
}
