/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Ops, blocks and regions as text. */
#include "ir/text/dialect_symbol_t.h"
#include "ir/text/print/printer_t.h"

/* ---- values and blocks ---- */

static const char TWO_DIGITS[] = "00010203040506070809101112131415161718192021222324"
                                 "25262728293031323334353637383940414243444546474849"
                                 "50515253545556575859606162636465666768697071727374"
                                 "75767778798081828384858687888990919293949596979899";

/* "%" or "%arg" and the number, straight into the buffer. */
static void append_number(EchoBuffer *out, bool is_arg, uint32_t number)
{
  enum { LONGEST = 16 };
  if (out->capacity - out->size <= LONGEST)
    echo_buffer_reserve(out, LONGEST);
  char *at = out->data + out->size;
  *at++ = '%';
  if (is_arg) {
    memcpy(at, "arg", 3);
    at += 3;
  }
  size_t n = 1;
  for (uint32_t power = 10; n < 9 && number >= power; power *= 10)
    n++;
  at += n;
  out->size = (size_t)(at - out->data);
  *at = '\0';
  for (; number >= 100; number /= 100) {
    at -= 2;
    memcpy(at, &TWO_DIGITS[number % 100 * 2], 2);
  }
  if (number >= 10)
    memcpy(at - 2, &TWO_DIGITS[number * 2], 2);
  else
    at[-1] = (char)('0' + number);
}

static void append_code(EchoAsmPrinter *p, uint32_t code)
{
  uint32_t payload = code & ECHO_CODE_PAYLOAD;
  switch (ECHO_CODE_KIND(code)) {
  case ECHO_CODE_NUMBER:
  case ECHO_CODE_ARG:
    append_number(p->out, ECHO_CODE_KIND(code) == ECHO_CODE_ARG, payload);
    return;
  case ECHO_CODE_NAME:
    echo_buffer_append_char(p->out, '%');
    echo_buffer_append_str(p->out, p->numbering.names.data[payload]);
    return;
  default:
    echo_buffer_append_c(p->out, "<<UNKNOWN SSA VALUE>>");
  }
}

static uint32_t code_of(const EchoAsmPrinter *p, const EchoValue *value)
{
  return value->id < p->numbering.n_codes ? p->numbering.codes[value->id] : ECHO_CODE_UNKNOWN;
}

void echo_printer_value(EchoAsmPrinter *p, const EchoValue *value)
{
  if (p->collecting)
    return;
  if (value == NULL) {
    echo_buffer_append_c(p->out, "<<NULL VALUE>>");
    return;
  }
  uint32_t code = code_of(p, value);
  uint32_t first = value->index;
  if (ECHO_CODE_KIND(code) == ECHO_CODE_MEMBER) {
    first = code & ECHO_CODE_PAYLOAD;
    code = code_of(p, value - (value->index - first));
  }
  append_code(p, code);
  if (value->is_block_arg || code == ECHO_CODE_UNKNOWN)
    return;
  const EchoOp *op = echo_value_def_or_null(value);
  bool in_group =
      first != value->index ||
      (first + 1 < op->n_results && ECHO_CODE_KIND(code_of(p, value + 1)) == ECHO_CODE_MEMBER);
  if (in_group) {
    echo_buffer_append_char(p->out, '#');
    echo_buffer_append_u64(p->out, value->index - first);
  }
}

void echo_printer_block_name(EchoAsmPrinter *p, const EchoBlock *block)
{
  if (p->collecting)
    return;
  echo_buffer_append_c(p->out, "^bb");
  echo_buffer_append_u64(p->out, p->numbering.block_ordinals[block->id]);
}

/* "%a:2, %b = " */
static void results(EchoAsmPrinter *p, const EchoOp *op)
{
  if (op->n_results == 0 || p->collecting)
    return;
  for (uint32_t i = 0; i < op->n_results;) {
    uint32_t size = 1;
    while (i + size < op->n_results &&
           ECHO_CODE_KIND(code_of(p, &op->results[i + size])) == ECHO_CODE_MEMBER)
      size++;
    if (i != 0)
      echo_buffer_append_c(p->out, ", ");
    append_code(p, code_of(p, &op->results[i]));
    if (size != 1) {
      echo_buffer_append_char(p->out, ':');
      echo_buffer_append_u64(p->out, size);
    }
    i += size;
  }
  echo_buffer_append_c(p->out, " = ");
}

static void indent(EchoAsmPrinter *p, uint32_t columns)
{
  static const char BLANKS[] = "                                                                ";
  for (; columns >= sizeof BLANKS - 1; columns -= (uint32_t)sizeof BLANKS - 1)
    echo_buffer_append(p->out, BLANKS, sizeof BLANKS - 1);
  echo_buffer_append(p->out, BLANKS, columns);
}

void echo_printer_indent(EchoAsmPrinter *p)
{
  indent(p, p->indent);
}

/* Locations of arguments are written out, and yet their aliases are defined, at the top. */
static void print_loc(EchoAsmPrinter *p, EchoLoc loc, bool of_op)
{
  if (!p->options.debug_info)
    return;
  const EchoAttr *attr = echo_loc_attr(p->ctx, loc);
  if (p->collecting) {
    echo_aliases_visit_attr(&p->aliases, attr, of_op);
    return;
  }
  echo_buffer_append_c(p->out, " loc(");
  p->allow_deferred = of_op;
  echo_printer_location(p, attr, of_op);
  p->allow_deferred = false;
  echo_buffer_append_char(p->out, ')');
}

void echo_printer_argument_loc(EchoAsmPrinter *p, EchoLoc loc)
{
  print_loc(p, loc, false);
}

/* ---- block headers ---- */

static void predecessors(EchoAsmPrinter *p, const EchoBlock *block, bool is_entry)
{
  const EchoBlockEdge *edges = p->numbering.edges.data;
  size_t low = 0, high = p->numbering.edges.size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (edges[middle].target_id < block->id)
      low = middle + 1;
    else
      high = middle;
  }
  size_t n = 0;
  while (low + n < p->numbering.edges.size && edges[low + n].target_id == block->id)
    n++;
  if (n == 0) {
    if (!is_entry)
      echo_buffer_append_c(p->out, "  // no predecessors");
    return;
  }
  if (n == 1)
    echo_buffer_append_c(p->out, "  // pred: ");
  else
    echo_buffer_printf(p->out, "  // %zu preds: ", n);
  for (size_t i = 0; i < n; i++) {
    echo_buffer_append_c(p->out, i == 0 ? "^bb" : ", ^bb");
    echo_buffer_append_u64(p->out, edges[low + i].source_ordinal);
  }
}

static void block_header(EchoAsmPrinter *p, const EchoBlock *block)
{
  indent(p, p->indent - 2);
  echo_printer_block_name(p, block);
  for (uint32_t i = 0; i < block->n_args; i++) {
    echo_buffer_append_c(p->out, i == 0 ? "(" : ", ");
    echo_printer_value(p, echo_block_arg(block, i));
    echo_buffer_append_c(p->out, ": ");
    echo_printer_type(p, block->args[i]->value.type);
    echo_printer_argument_loc(p, block->args[i]->loc);
  }
  echo_buffer_append_c(p->out, block->n_args != 0 ? "):" : ":");
  predecessors(p, block, block == block->region->first);
  echo_buffer_append_char(p->out, '\n');
}

/* ---- the generic form ---- */

void echo_printer_functional_type(EchoAsmPrinter *p, const EchoOp *op)
{
  echo_buffer_append_char(p->out, '(');
  for (uint32_t i = 0; i < op->n_operands; i++) {
    if (i != 0)
      echo_buffer_append(p->out, ", ", 2);
    echo_printer_type(p, op->operands[i].value->type);
  }
  echo_buffer_append(p->out, ") -> ", 5);
  if (op->n_results == 1 && op->results[0].type->kind != ECHO_TYPE_FUNCTION) {
    echo_printer_type(p, op->results[0].type);
    return;
  }
  echo_buffer_append_char(p->out, '(');
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (i != 0)
      echo_buffer_append(p->out, ", ", 2);
    echo_printer_type(p, op->results[i].type);
  }
  echo_buffer_append_char(p->out, ')');
}

/* Through the properties. */
static void generic_head(EchoAsmPrinter *p, const EchoOp *op)
{
  if (p->collecting)
    return;
  if (!echo_printer_reuse(p, op->info)) {
    EchoPrinterMark mark = echo_printer_mark(p);
    echo_buffer_append_char(p->out, '"');
    echo_printer_string(p->out, echo_str(op->info->name));
    echo_buffer_append(p->out, "\"(", 2);
    echo_printer_remember(p, op->info, mark);
  }
  for (uint32_t i = 0; i < op->n_operands; i++) {
    if (i != 0)
      echo_buffer_append(p->out, ", ", 2);
    echo_printer_value(p, op->operands[i].value);
  }
  echo_buffer_append_char(p->out, ')');
  for (uint16_t i = 0; i < op->n_successors; i++) {
    echo_buffer_append_c(p->out, i == 0 ? "[" : ", ");
    echo_printer_block_name(p, echo_op_successors(op)[i]);
  }
  if (op->n_successors != 0)
    echo_buffer_append_char(p->out, ']');
  if (op->properties != NULL) {
    echo_buffer_append(p->out, " <", 2);
    echo_printer_attr(p, op->properties);
    echo_buffer_append_char(p->out, '>');
  }
}

static bool mlir_knows(EchoAsmPrinter *p, const EchoOpInfo *info)
{
  uint64_t known;
  if (!echo_map_get(&p->known_ops, echo_key(info), &known)) {
    known = echo_mlir_has_dialect(p->ctx, echo_op_info_dialect(info));
    echo_map_set(&p->known_ops, echo_key(info), known);
  }
  return known != 0;
}

/* As AsmPrinter does, looks for aliases in the attributes of an op by name, and not in the
 * properties of an op that it would not know. */
static void collect_attrs(EchoAsmPrinter *p, const EchoOp *op)
{
  bool with_properties = op->properties != NULL && mlir_knows(p, op->info);
  const EchoAttr *const dictionaries[2] = {with_properties ? op->properties : NULL, op->attrs};
  size_t at[2] = {0, 0};
  const EchoNamedAttr *entry;
  while ((entry = echo_printer_next_of_both(dictionaries, at)) != NULL)
    echo_aliases_visit_attr(&p->aliases, entry->value, false);
}

/* From the attributes on. */
static void generic_tail(EchoAsmPrinter *p, const EchoOp *op)
{
  if (p->collecting) {
    for (uint32_t i = 0; i < op->n_operands; i++)
      echo_printer_type(p, op->operands[i].value->type);
    for (uint32_t i = 0; i < op->n_results; i++)
      echo_printer_type(p, op->results[i].type);
    collect_attrs(p, op);
    return;
  }
  if (op->attrs != NULL && op->attrs->as.dictionary.size != 0) {
    echo_buffer_append_char(p->out, ' ');
    echo_printer_attr(p, op->attrs);
  }
  echo_buffer_append(p->out, " : ", 3);
  echo_printer_functional_type(p, op);
}

/* ---- the pretty form ---- */

/* The name, without the dialect that the op around gives. */
static void pretty_name(EchoAsmPrinter *p, const EchoOp *op)
{
  const char *name = op->info->name;
  const EchoOp *parent = op->block != NULL ? echo_op_parent(op) : NULL;
  EchoStr dialect = parent == NULL ? ECHO_STR("builtin")
                    : (parent->info->traits & ECHO_DEFAULT_DIALECT) != 0
                        ? echo_op_info_dialect(parent->info)
                        : ECHO_STR("");
  const char *rest = name + dialect.size + 1;
  if (dialect.size != 0 && strncmp(name, dialect.data, dialect.size) == 0 &&
      name[dialect.size] == '.' && strchr(rest, '.') == NULL)
    name = rest;
  echo_buffer_append_c(p->out, name);
}

static bool is_pretty(const EchoAsmPrinter *p, const EchoOp *op)
{
  return !p->options.generic && op->info->print != NULL && p->depth < ECHO_PRINTER_MAX_DEPTH;
}

static void pretty(EchoAsmPrinter *p, const EchoOp *op)
{
  p->depth++;
  pretty_name(p, op);
  op->info->print(p, op);
  p->depth--;
}

/* ---- regions, without recursion ---- */

/* Opens "{", and the first block with its header when `header_if_args` and it has arguments, or
 * `header_if_empty` and it has no ops. */
static void open_region(EchoAsmPrinter *p, const EchoRegion *region, const EchoOp *generic_parent,
                        bool header_if_args, bool print_terminator)
{
  echo_buffer_append_c(p->out, "{\n");
  p->indent += 2;
  const EchoBlock *entry = region->first;
  echo_vector_push(&p->frames, (EchoPrintFrame){.region = region,
                                                .block = entry,
                                                .next_op = entry != NULL ? entry->first : NULL,
                                                .generic_parent = generic_parent,
                                                .print_terminator = print_terminator});
  if (entry == NULL)
    return;
  bool header_if_empty = generic_parent != NULL;
  if ((header_if_args && entry->n_args != 0) || (header_if_empty && entry->first == NULL))
    block_header(p, entry);
}

/* Begins an op: true when it is complete, false when the regions of a generic op follow. */
static bool begin_op(EchoAsmPrinter *p, const EchoOp *op)
{
  if (p->collecting)
    print_loc(p, op->loc, true);
  else
    indent(p, p->indent);
  results(p, op);
  if (is_pretty(p, op)) {
    pretty(p, op);
    return true;
  }
  generic_head(p, op);
  if (op->n_regions != 0) {
    echo_buffer_append_c(p->out, " (");
    open_region(p, &op->regions[0], op, true, true);
    return false;
  }
  generic_tail(p, op);
  return true;
}

static void end_op(EchoAsmPrinter *p, const EchoOp *op)
{
  if (!p->collecting)
    print_loc(p, op->loc, true);
}

static bool is_hidden_terminator(const EchoPrintFrame *frame, const EchoOp *op)
{
  return !frame->print_terminator && op->next == NULL && (op->info->traits & ECHO_TERMINATOR) != 0;
}

/* Closes the region on top; goes on with the next region of its generic op, or ends that op. */
static void close_region(EchoAsmPrinter *p, size_t base)
{
  EchoPrintFrame frame = echo_vector_pop(&p->frames);
  p->indent -= 2;
  indent(p, p->indent);
  echo_buffer_append_char(p->out, '}');
  const EchoOp *op = frame.generic_parent;
  if (op == NULL)
    return;
  size_t next = (size_t)(frame.region - op->regions) + 1;
  if (next < op->n_regions) {
    echo_buffer_append_c(p->out, ", ");
    open_region(p, &op->regions[next], op, true, true);
    return;
  }
  echo_buffer_append_char(p->out, ')');
  generic_tail(p, op);
  end_op(p, op);
  if (p->frames.size > base)
    echo_buffer_append_char(p->out, '\n');
}

/* Prints until the regions above stack height `base` are closed. */
static void run(EchoAsmPrinter *p, size_t base)
{
  while (p->frames.size > base) {
    EchoPrintFrame *frame = &echo_vector_last(&p->frames);
    const EchoOp *op = frame->next_op;
    echo_printer_empty_if_long(p);
    if (op != NULL) {
      frame->next_op = op->next;
      if (is_hidden_terminator(frame, op))
        continue;
      if (p->collecting)
        echo_buffer_clear(p->out);
      if (begin_op(p, op)) {
        end_op(p, op);
        echo_buffer_append_char(p->out, '\n');
      }
      continue;
    }
    if (frame->block != NULL && frame->block->next != NULL) {
      frame->block = frame->block->next;
      frame->next_op = frame->block->first;
      block_header(p, frame->block);
      continue;
    }
    close_region(p, base);
  }
}

void echo_printer_region(EchoAsmPrinter *p, const EchoRegion *region, bool print_entry_args,
                         bool print_terminator)
{
  size_t base = p->frames.size;
  open_region(p, region, NULL, print_entry_args, print_terminator);
  run(p, base);
}

void echo_printer_op(EchoAsmPrinter *p, const EchoOp *op)
{
  size_t base = p->frames.size;
  if (begin_op(p, op))
    end_op(p, op);
  else
    run(p, base);
}

void echo_printer_collect(EchoAsmPrinter *p, const EchoOp *op)
{
  echo_printer_op(p, op);
}
