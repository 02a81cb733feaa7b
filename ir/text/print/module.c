/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The printer's entry: aliases, the op, locations put off, resources; and the memory of what was
 * printed. */
#include "ir/text/print/printer_t.h"

/* ---- texts printed before ---- */

/* Longer ones are not worth a second copy's bookkeeping: they hardly repeat. */
enum { LONGEST_REMEMBERED = 4096 };

static size_t text_slot(const EchoAsmPrinter *p, const void *object)
{
  size_t mask = p->n_text_slots - 1;
  size_t i = (size_t)(echo_key(object) * UINT64_C(0x9e3779b97f4a7c15) >> 40) & mask;
  while (p->texts[i].object != NULL && p->texts[i].object != object)
    i = (i + 1) & mask;
  return i;
}

bool echo_printer_reuse(EchoAsmPrinter *p, const void *object)
{
  if (p->n_text_slots == 0)
    return false;
  const EchoPrintedText *text = &p->texts[text_slot(p, object)];
  if (text->object == NULL)
    return false;
  EchoBuffer *out = p->out;
  if (out->capacity - out->size <= text->size)
    echo_buffer_reserve(out, text->size);
  memcpy(out->data + out->size, out->data + text->start, text->size);
  out->size += text->size;
  out->data[out->size] = '\0';
  return true;
}

static void grow_texts(EchoAsmPrinter *p)
{
  EchoPrintedText *old = p->texts;
  size_t n_old = p->n_text_slots;
  p->n_text_slots = n_old == 0 ? 128 : n_old * 2;
  p->texts = echo_alloc_zero(p->n_text_slots, sizeof *p->texts);
  for (size_t i = 0; i < n_old; i++)
    if (old[i].object != NULL)
      p->texts[text_slot(p, old[i].object)] = old[i];
  echo_free(old);
}

void echo_printer_remember(EchoAsmPrinter *p, const void *object, EchoPrinterMark mark)
{
  size_t start = mark.start;
  if (p->ctx == NULL || mark.n_emptied != p->n_emptied || p->out->size - start > LONGEST_REMEMBERED)
    return;
  if (p->n_texts * 2 >= p->n_text_slots)
    grow_texts(p);
  p->texts[text_slot(p, object)] = (EchoPrintedText){object, start, p->out->size - start};
  p->n_texts++;
}

void echo_printer_empty_slow(EchoAsmPrinter *p)
{
  if (p->collecting)
    return;
  p->sink_failed = p->sink_failed || !p->sink(p->sink_user, echo_buffer_str(p->out));
  echo_buffer_clear(p->out);
  p->n_emptied++;
  if (p->n_texts != 0)
    memset(p->texts, 0, p->n_text_slots * sizeof *p->texts);
  p->n_texts = 0;
}

/* ---- aliases ---- */

static void alias_name(EchoAsmPrinter *p, const EchoAlias *alias)
{
  echo_buffer_append_char(p->out, alias->is_type ? '!' : '#');
  echo_buffer_append_c(p->out, alias->name);
  if (alias->suffix != 0)
    echo_buffer_append_u64(p->out, alias->suffix);
}

bool echo_printer_alias(EchoAsmPrinter *p, const void *object)
{
  if (!p->aliases.any || p->collecting)
    return false;
  uint64_t known = echo_map_get_or(&p->aliases.index, echo_key(object), 0);
  if (known == 0 || (p->aliases.list.data[known - 1].can_be_deferred && !p->allow_deferred))
    return false;
  alias_name(p, &p->aliases.list.data[known - 1]);
  return true;
}

static void alias_definitions(EchoAsmPrinter *p, bool deferred)
{
  p->allow_deferred = deferred;
  for (size_t i = 0; i < p->aliases.list.size; i++) {
    const EchoAlias *alias = &p->aliases.list.data[i];
    if (alias->can_be_deferred != deferred)
      continue;
    alias_name(p, alias);
    echo_buffer_append_c(p->out, " = ");
    if (alias->is_type)
      echo_printer_type_plain(p, alias->object);
    else
      echo_printer_attr_plain(p, alias->object, ECHO_ELIDE_NEVER);
    echo_buffer_append_char(p->out, '\n');
  }
}

static void collect_aliases(EchoAsmPrinter *p, const EchoOp *op)
{
  if (!echo_aliases_possible(p->ctx, &p->options))
    return;
  EchoBuffer ignored = {0};
  EchoBuffer *out = p->out;
  p->out = &ignored;
  p->collecting = true;
  p->aliases.ctx = p->ctx;
  echo_printer_collect(p, op);
  p->collecting = false;
  p->out = out;
  echo_buffer_destroy(&ignored);
  echo_aliases_finish(&p->aliases);
}

/* ---- resources ---- */

static bool same_entry(const EchoResource *a, const EchoResource *b)
{
  return echo_str_equal(a->section, b->section) && echo_str_equal(a->group, b->group);
}

typedef ECHO_VECTOR(const EchoResource *) EchoResourceList;

static bool is_blob(const EchoResource *entry)
{
  return echo_str_is(entry->section, "dialect_resources") && echo_str_is(entry->group, "builtin");
}

/* Blobs in the order in which they were referred to, the newest of each key; then what else came
 * with the module's file. */
static void gather_resources(const EchoAsmPrinter *p, const EchoOp *op, EchoResourceList *list)
{
  EchoStringMap blobs = {0};
  for (size_t i = 0; i < p->ctx->resources.size; i++)
    if (is_blob(&p->ctx->resources.data[i]))
      echo_string_map_set(&blobs, p->ctx->resources.data[i].key, i + 1);
  for (size_t i = 0; i < p->resources.size; i++) {
    EchoStr key = p->resources.data[i]->as.string;
    uint64_t index = echo_string_map_get_or(&blobs, key, 0);
    if (index != 0)
      echo_vector_push(list, &p->ctx->resources.data[index - 1]);
    echo_string_map_set(&blobs, key, 0);
  }
  echo_string_map_destroy(&blobs);
  for (int pass = 0; pass < 2; pass++) /* sections stay together */
    for (size_t i = 0; i < p->ctx->resources.size; i++) {
      const EchoResource *entry = &p->ctx->resources.data[i];
      bool is_external = !echo_str_is(entry->section, "dialect_resources");
      if (entry->module == op && !is_blob(entry) && is_external == (pass == 1))
        echo_vector_push(list, entry);
    }
}

static void print_resource_entry(EchoAsmPrinter *p, const EchoResource *entry, bool first)
{
  echo_buffer_append_c(p->out, first ? "\n      " : ",\n      ");
  echo_printer_keyword_or_string(p->out, entry->key);
  echo_buffer_append_c(p->out, ": ");
  enum { PIECE_BYTES = 1 << 18 };
  EchoStr rest = entry->text;
  while (rest.size != 0) {
    size_t size = rest.size < PIECE_BYTES ? rest.size : PIECE_BYTES;
    echo_buffer_append(p->out, rest.data, size);
    echo_printer_empty_if_long(p);
    rest = (EchoStr){rest.data + size, rest.size - size};
  }
}

static void print_metadata(EchoAsmPrinter *p, const EchoOp *op)
{
  const EchoResource *last = NULL;
  EchoResourceList list = {0};
  gather_resources(p, op, &list);
  for (size_t i = 0; i < list.size; i++) {
    const EchoResource *entry = list.data[i];
    bool same_section = last != NULL && echo_str_equal(last->section, entry->section);
    bool same_group = same_section && same_entry(last, entry);
    if (last == NULL)
      echo_buffer_append_c(p->out, "\n{-#\n");
    else if (!same_section)
      echo_buffer_append_c(p->out, "\n    }\n  },\n");
    else if (!same_group)
      echo_buffer_append_c(p->out, "\n    },\n");
    if (!same_section) {
      echo_buffer_append_c(p->out, "  ");
      echo_buffer_append_str(p->out, entry->section);
      echo_buffer_append_c(p->out, ": {\n");
    }
    if (!same_group) {
      echo_buffer_append_c(p->out, "    ");
      echo_printer_keyword_or_string(p->out, entry->group);
      echo_buffer_append_c(p->out, ": {");
    }
    print_resource_entry(p, entry, !same_group);
    last = entry;
  }
  if (last != NULL)
    echo_buffer_append_c(p->out, "\n    }\n  }\n#-}\n");
  echo_vector_destroy(&list);
}

/* ---- entry ---- */

static void printer_destroy(EchoAsmPrinter *p)
{
  echo_numbering_destroy(&p->numbering);
  echo_aliases_destroy(&p->aliases);
  echo_vector_destroy(&p->frames);
  echo_vector_destroy(&p->resources);
  echo_map_destroy(&p->distinct_ids);
  echo_map_destroy(&p->known_ops);
  echo_free(p->texts);
}

/* What values are numbered from: the outermost op, or, within a local scope, the nearest isolated
 * one. */
static const EchoOp *numbering_root(const EchoOp *op, bool is_local)
{
  const EchoOp *root = op;
  while (root->block != NULL && echo_op_parent(root) != NULL) {
    if (is_local && (root->info->traits & ECHO_ISOLATED) != 0)
      break;
    root = echo_op_parent(root);
  }
  return root;
}

static void print(EchoAsmPrinter *p, const EchoOp *op, const EchoPrintOptions *options)
{
  if (options != NULL)
    p->options = *options;
  bool is_top = op->block == NULL;
  if (!is_top)
    p->options.local_scope = true;
  echo_numbering_create(&p->numbering, p->ctx, numbering_root(op, p->options.local_scope),
                        p->options.generic);
  collect_aliases(p, op);
  alias_definitions(p, false);
  echo_printer_op(p, op);
  echo_buffer_append_char(p->out, '\n');
  alias_definitions(p, true);
  if (is_top && !p->options.local_scope)
    print_metadata(p, op);
}

void echo_print_op(const EchoOp *op, const EchoPrintOptions *options, EchoBuffer *out)
{
  if (op == NULL || out == NULL)
    return;
  EchoAsmPrinter p = {.ctx = echo_op_context(op), .out = out};
  print(&p, op, options);
  printer_destroy(&p);
}

bool echo_print_op_to(const EchoOp *op, const EchoPrintOptions *options, EchoTextSink *sink,
                      void *user)
{
  if (op == NULL || sink == NULL)
    return false;
  EchoBuffer out = {0};
  EchoAsmPrinter p = {.ctx = echo_op_context(op), .out = &out, .sink = sink, .sink_user = user};
  print(&p, op, options);
  echo_printer_empty_slow(&p);
  bool fine = !p.sink_failed;
  printer_destroy(&p);
  echo_buffer_destroy(&out);
  return fine;
}
