/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From a line of PTX to an instruction: which function executes it, and where its operands lie. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/decode.h"

/* ---- plain operations: one result, sources of known widths ---- */

/* t the type's own width, w twice it, u 32 bits, p a predicate. */
static const struct {
  const char *name, *form;
} FORMS[] = {
    {"add", "ttt"},
    {"sub", "ttt"},
    {"add.cc", "ttt"},
    {"addc", "ttt"},
    {"addc.cc", "ttt"},
    {"sub.cc", "ttt"},
    {"subc", "ttt"},
    {"subc.cc", "ttt"},
    {"mul", "ttt"},
    {"mul.lo", "ttt"},
    {"mul.hi", "ttt"},
    {"mul.wide", "wtt"},
    {"mad.lo", "tttt"},
    {"mad.hi", "tttt"},
    {"mad.wide", "wttw"},
    {"div", "ttt"},
    {"div.approx", "ttt"},
    {"rem", "ttt"},
    {"min", "ttt"},
    {"max", "ttt"},
    {"min.NaN", "ttt"},
    {"max.NaN", "ttt"},
    {"abs", "tt"},
    {"neg", "tt"},
    {"and", "ttt"},
    {"or", "ttt"},
    {"xor", "ttt"},
    {"not", "tt"},
    {"cnot", "tt"},
    {"shl", "ttu"},
    {"shr", "ttu"},
    {"bfe", "ttuu"},
    {"bfi", "tttuu"},
    {"brev", "tt"},
    {"popc", "ut"},
    {"clz", "ut"},
    {"bfind", "ut"},
    {"selp", "tttp"},
    {"prmt", "tttt"},
    {"shf.l.wrap", "tttu"},
    {"shf.r.wrap", "tttu"},
    {"shf.l.clamp", "tttu"},
    {"shf.r.clamp", "tttu"},
    {"fma", "tttt"},
    {"mad", "tttt"},
    {"rcp", "tt"},
    {"sqrt", "tt"},
    {"rcp.approx", "tt"},
    {"sqrt.approx", "tt"},
    {"rsqrt.approx", "tt"},
    {"ex2.approx", "tt"},
    {"lg2.approx", "tt"},
    {"sin.approx", "tt"},
    {"cos.approx", "tt"},
    {"tanh.approx", "tt"},
    {"copysign", "ttt"},
    {"testp.infinite", "pt"},
    {"testp.finite", "pt"},
    {"testp.notanumber", "pt"},
    {"testp.number", "pt"},
    {"sad", "tttt"},
    {"mov", "tt"},
};

static const char *form_of(const char *name)
{
  for (size_t i = 0; i < sizeof FORMS / sizeof FORMS[0]; i++)
    if (strcmp(FORMS[i].name, name) == 0)
      return FORMS[i].form;
  return NULL;
}

/* The name with what changes the meaning. */
static void full_name(const Line *line, char *out, size_t out_bytes)
{
  static const char *const KEPT[] = {"lo",       "hi",     "wide",       "approx", "NaN", "cc",
                                     "infinite", "finite", "notanumber", "number", NULL};
  int n = snprintf(out, out_bytes, "%s", line->parts[0]);
  for (size_t i = 1; i < line->n_parts; i++) {
    const char *part = line->parts[i];
    bool is_kept = strcmp(line->parts[0], "shf") == 0 && strcmp(part, "b32") != 0;
    for (int k = 0; KEPT[k] != NULL; k++)
      is_kept |= strcmp(part, KEPT[k]) == 0;
    if (strcmp(part, "full") == 0)
      part = "approx", is_kept = true;
    if (is_kept)
      n += snprintf(out + n, out_bytes - (size_t)n, ".%s", part);
  }
}

/* What would need another function than the one that is there. */
static bool check_modifiers(Parser *parser, const Line *line, Type type)
{
  static const char *const REFUSED[] = {"sat", "rz", "rm", "rp", "xorsign", "relu", NULL};
  int refused = decode_which_part(line, REFUSED);
  if (refused >= 0)
    return parse_fail(parser, line->number, "'%s.…' with .%s is not executed here", line->mnemonic,
                      REFUSED[refused]);
  if (line_has(line, "ftz") && type != T_F32)
    return parse_fail(parser, line->number, "'%s.…' with .ftz is executed for f32 alone",
                      line->mnemonic);
  return true;
}

/* .ftz: floats of 32 bits are flushed before and after what the instruction does. */
static void flush(const Line *line, Insn *insn, bool gives_f32)
{
  if (!line_has(line, "ftz"))
    return;
  insn->inner = insn->exec;
  insn->exec = exec_flushed;
  insn->gives_f32 = gives_f32;
}

static Type wide(Type type)
{
  switch (type) {
  case T_U16:
    return T_U32;
  case T_S16:
    return T_S32;
  case T_U32:
    return T_U64;
  case T_S32:
    return T_S64;
  default:
    return T_NONE;
  }
}

static bool decode_plain(Parser *parser, const Line *line, Insn *insn)
{
  char name[64];
  full_name(line, name, sizeof name);
  const char *form = form_of(name);
  Type type = decode_last_type(line);
  insn->exec = form != NULL ? exec_find_or_null(name, type) : NULL;
  if (insn->exec == NULL) {
    char text[160];
    ptx_line(parser->module, line->number, text, sizeof text);
    return parse_fail(parser, line->number, "no such instruction is executed here: %s", text);
  }
  insn->type = (uint8_t)type;
  size_t n = strlen(form);
  if (!check_modifiers(parser, line, type) || !decode_count_operands(parser, line, n, n))
    return false;
  flush(line, insn, form[0] == 't');
  bool ok = true;
  for (size_t i = 0; i < n && ok; i++) {
    Type wanted = form[i] == 't'   ? type
                  : form[i] == 'w' ? wide(type)
                  : form[i] == 'p' ? T_PRED
                                   : T_U32;
    ok = decode_place_of(parser, line, line_operand(line, i), wanted, &insn->r[i]);
  }
  return ok;
}

/* ---- the others ---- */

/* {low, high} packed into one register, or taken apart. */
static bool decode_pack(Parser *parser, const Line *line, Insn *insn, bool is_pack)
{
  const Operand *list = line_operand(line, is_pack ? 1 : 0);
  const Operand *whole = line_operand(line, is_pack ? 0 : 1);
  unsigned bytes = type_bytes(decode_last_type(line));
  Type whole_type, part = T_B16;
  if (!decode_place_of_any(parser, line, whole, decode_last_type(line), &insn->r[0], &whole_type))
    return false;
  insn->n = list->n;
  insn->width = (uint8_t)(bytes / list->n);
  bool ok = true;
  for (unsigned i = 0; i < list->n && ok; i++) {
    const Operand *member = &line->flat[list->first + i];
    insn->r[1 + i] = 0;
    if (member->kind == OPERAND_SINK)
      continue;
    part = insn->width == 8 ? T_B64 : insn->width == 4 ? T_B32 : T_B16;
    ok = insn->width >= 2 && decode_place_of(parser, line, member, part, &insn->r[1 + i]);
  }
  insn->type = (uint8_t)decode_last_type(line);
  insn->exec = is_pack ? exec_pack : exec_unpack;
  return ok || parse_fail(parser, line->number, "parts of one byte are not packed here");
}

static bool decode_mov(Parser *parser, const Line *line, Insn *insn)
{
  if (!decode_count_operands(parser, line, 2, 2))
    return false;
  if (line_operand(line, 0)->kind == OPERAND_LIST)
    return decode_pack(parser, line, insn, false);
  if (line_operand(line, 1)->kind == OPERAND_LIST)
    return decode_pack(parser, line, insn, true);
  return decode_plain(parser, line, insn);
}

static bool decode_setp(Parser *parser, const Line *line, Insn *insn)
{
  static const char *const COMPARISONS[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ", "neu",
                                            "ltu", "leu", "gtu", "geu", "num", "nan", NULL};
  static const char *const SAME[] = {"lo", "ls", "hi", "hs", NULL}; /* unsigned lt, le, gt, ge */
  static const char *const JOINTS[] = {"and", "or", "xor", NULL};
  int comparison = decode_which_part(line, COMPARISONS),
      joint = decode_which_part(line, JOINTS) + 1;
  if (comparison < 0 && decode_which_part(line, SAME) >= 0)
    comparison = decode_which_part(line, SAME) + CMP_LT;
  size_t n = 3 + (joint != 0), first = line->n_top == n + 1;
  Type type = decode_last_type(line);
  if (comparison < 0 || (line_has(line, "ftz") && type != T_F32) ||
      !decode_count_operands(parser, line, n, n + 1))
    return parse_fail(parser, line->number, "'setp' has no such comparison");
  insn->mode = (uint8_t)(comparison | joint << 4);
  insn->type = (uint8_t)type;
  insn->exec = exec_set_predicate;
  flush(line, insn, false);
  if (line_operand(line, 0)->kind != OPERAND_SINK &&
      !decode_place_of(parser, line, line_operand(line, 0), T_PRED, &insn->r[0]))
    return false;
  if (first && !decode_place_of(parser, line, line_operand(line, 1), T_PRED, &insn->r[1]))
    return false;
  if (!decode_place_of(parser, line, line_operand(line, 1 + first), type, &insn->r[2]) ||
      !decode_place_of(parser, line, line_operand(line, 2 + first), type, &insn->r[3]))
    return false;
  if (joint == 0)
    return true;
  insn->has_mask = line_operand(line, 3 + first)->is_negated;
  return decode_place_of(parser, line, line_operand(line, 3 + first), T_PRED, &insn->r[4]);
}

static bool decode_cvt(Parser *parser, const Line *line, Insn *insn)
{
  static const char *const ROUNDINGS[] = {"rn",  "rz",  "rm",  "rp",  "rni",
                                          "rzi", "rmi", "rpi", "rna", NULL};
  int rounding = decode_which_part(line, ROUNDINGS);
  Type to_type, from_type;
  bool is_pair = line->n_top == 3; /* cvt.rn.bf16x2.f32 d, a, b */
  if (line->n_types != 2 || !decode_count_operands(parser, line, 2, 3))
    return parse_fail(parser, line->number, "'cvt' has not two types");
  insn->type = (uint8_t)line->types[0];
  insn->type2 = (uint8_t)line->types[1];
  insn->rounding =
      rounding < 0 ? ROUND_NONE : (uint8_t)(rounding == 8 ? ROUND_EVEN : rounding % 4 + 1);
  insn->mode = rounding >= 4 && rounding < 8; /* to an integer, in a float */
  insn->is_saturated = line_has(line, "sat");
  if (line_has(line, "relu"))
    return parse_fail(parser, line->number, "'cvt' with .relu is not executed here");
  insn->exec = exec_convert;
  flush(line, insn, line->types[0] == T_F32);
  if (!decode_place_of_any(parser, line, line_operand(line, 0), line->types[0], &insn->r[0],
                           &to_type) ||
      !decode_place_of_any(parser, line, line_operand(line, 1), line->types[1], &insn->r[1],
                           &from_type))
    return false;
  insn->r[2] = type_bytes(to_type);
  insn->r[3] = type_bytes(from_type);
  return !is_pair ||
         decode_place_of(parser, line, line_operand(line, 2), line->types[1], &insn->r[4]);
}

/* Generic addresses of global memory are its own; those of the other spaces lie in windows. */
static bool decode_cvta(Parser *parser, const Line *line, Insn *insn)
{
  insn->type = T_U64;
  insn->space = (uint8_t)decode_space_of(line);
  insn->mode = line_has(line, "to");
  insn->exec = exec_shift_generic;
  return decode_count_operands(parser, line, 2, 2) &&
         decode_place_of(parser, line, line_operand(line, 0), T_U64, &insn->r[0]) &&
         decode_place_of(parser, line, line_operand(line, 1), T_U64, &insn->r[1]);
}

/* The registers of a load or a store: all of one width. */
static bool decode_values(Parser *parser, const Line *line, const Operand *values, Insn *insn)
{
  unsigned n = values->kind == OPERAND_LIST ? values->n : 1;
  Type type = T_NONE;
  for (unsigned i = 0; i < n; i++) {
    const Operand *value = values->kind == OPERAND_LIST ? &line->flat[values->first + i] : values;
    Type here;
    insn->r[i] = 0;
    if (value->kind == OPERAND_SINK)
      continue;
    if (!decode_place_of_any(parser, line, value, (Type)insn->type, &insn->r[i], &here))
      return false;
    if (type != T_NONE && type_bytes(here) != type_bytes(type))
      return parse_fail(parser, line->number, "the registers of '%s' differ in width",
                        line->mnemonic);
    type = here;
  }
  insn->n = (uint8_t)n;
  insn->type2 = (uint8_t)type;
  return n <= 8;
}

/* st.param.b64 [name+0], value; of an argument, which is a register of that name. */
static bool decode_argument(Parser *parser, const Line *line, Insn *insn)
{
  if (!decode_count_operands(parser, line, 2, 2) || line_operand(line, 0)->kind != OPERAND_MEMORY ||
      line_operand(line, 0)->place == 0 || line_operand(line, 0)->offset != 0 ||
      type_bytes(line_operand(line, 0)->type) != type_bytes((Type)insn->type))
    return parse_fail(parser, line->number, "only whole arguments of calls are stored to");
  insn->r[0] = line_operand(line, 0)->place;
  insn->exec = exec_find_or_null("mov", (Type)insn->type);
  return decode_place_of(parser, line, line_operand(line, 1), (Type)insn->type, &insn->r[1]);
}

static bool decode_ld_st(Parser *parser, const Line *line, Insn *insn, bool is_store)
{
  const Operand *address = line_operand(line, is_store ? 0 : 1);
  insn->type = (uint8_t)decode_last_type(line);
  insn->space = (uint8_t)decode_space_of(line);
  if (is_store && insn->space == SPACE_PARAM)
    return decode_argument(parser, line, insn);
  if (!decode_count_operands(parser, line, 2, 3) ||
      !decode_address_of(parser, line, address, insn) ||
      !decode_values(parser, line, line_operand(line, is_store ? 1 : 0), insn))
    return false;
  if (insn->space == SPACE_GENERIC && address->place == 0)
    insn->space = (uint8_t)address->space;
  insn->exec = is_store ? exec_store : insn->space == SPACE_PARAM ? exec_load_param : exec_load;
  insn->width = (uint8_t)(type_bytes((Type)insn->type) * insn->n);
  return true;
}

static bool decode_ld(Parser *parser, const Line *line, Insn *insn)
{
  return decode_ld_st(parser, line, insn, false);
}

static bool decode_st(Parser *parser, const Line *line, Insn *insn)
{
  return decode_ld_st(parser, line, insn, true);
}

static bool decode_atomic(Parser *parser, const Line *line, Insn *insn)
{
  static const char *const OPERATIONS[] = {"add",  "min", "max", "and", "or", "xor",
                                           "exch", "cas", "inc", "dec", NULL};
  bool is_red = strcmp(line->parts[0], "red") == 0;
  int operation = decode_which_part(line, OPERATIONS);
  Type type = decode_last_type(line);
  size_t first = is_red ? 0 : 1, n = first + 2 + (operation == ATOMIC_CAS);
  if (operation < 0 || !decode_count_operands(parser, line, n, n))
    return parse_fail(parser, line->number, "no such atomic operation is executed here");
  insn->type = (uint8_t)type;
  insn->mode = (uint8_t)operation;
  insn->space = (uint8_t)decode_space_of(line);
  insn->exec = exec_atomic;
  insn->width = (uint8_t)type_bytes(type);
  bool has_result = !is_red && line_operand(line, 0)->kind != OPERAND_SINK;
  return (!has_result || decode_place_of(parser, line, line_operand(line, 0), type, &insn->r[0])) &&
         decode_address_of(parser, line, line_operand(line, first), insn) &&
         decode_place_of(parser, line, line_operand(line, first + 1), type, &insn->r[1]) &&
         (operation != ATOMIC_CAS ||
          decode_place_of(parser, line, line_operand(line, first + 2), type, &insn->r[2]));
}

static bool decode_bra(Parser *parser, const Line *line, Insn *insn)
{
  if (!decode_count_operands(parser, line, 1, 1) || line_operand(line, 0)->kind != OPERAND_LABEL)
    return parse_fail(parser, line->number, "'bra' takes a label");
  insn->flow = FLOW_BRANCH;
  insn->target = parse_label(parser, line_operand(line, 0)->name);
  return true;
}

static bool decode_exit(Parser *parser, const Line *line, Insn *insn)
{
  insn->flow = FLOW_EXIT;
  return decode_count_operands(parser, line, 0, 0);
}

static bool decode_trap(Parser *parser, const Line *line, Insn *insn)
{
  insn->flow = FLOW_TRAP;
  return decode_count_operands(parser, line, 0, 0);
}

static bool decode_barrier(Parser *parser, const Line *line, Insn *insn)
{
  if (line_has(line, "warp")) {
    insn->exec = exec_sync_warp;
    return decode_count_operands(parser, line, 1, 1) &&
           decode_place_of(parser, line, line_operand(line, 0), T_U32, &insn->r[0]);
  }
  const Operand *number = line_operand(line, 0);
  if (!line_has(line, "sync") || !decode_count_operands(parser, line, 1, 1) ||
      number->kind != OPERAND_INTEGER || number->value >= 16)
    return parse_fail(parser, line->number, "only 'bar.sync NUMBER' of all threads is executed");
  insn->flow = FLOW_BARRIER;
  insn->mode = (uint8_t)number->value;
  return true;
}

static bool decode_fence(Parser *parser, const Line *line, Insn *insn)
{
  (void)parser;
  (void)line;
  insn->exec = exec_nothing;
  return true;
}

static bool decode_shfl(Parser *parser, const Line *line, Insn *insn)
{
  static const char *const MODES[] = {"up", "down", "bfly", "idx", NULL};
  int mode = decode_which_part(line, MODES);
  size_t has_flag = line->n_top == 6;
  if (mode < 0 || !line_has(line, "sync") || !decode_count_operands(parser, line, 5, 6))
    return parse_fail(parser, line->number, "only 'shfl.sync' is executed");
  insn->mode = (uint8_t)mode;
  insn->exec = exec_shuffle;
  bool ok =
      decode_place_of(parser, line, line_operand(line, 0), T_B32, &insn->r[0]) &&
      (has_flag == 0 || decode_place_of(parser, line, line_operand(line, 1), T_PRED, &insn->r[1]));
  for (size_t i = 0; i < 4 && ok; i++)
    ok =
        decode_place_of(parser, line, line_operand(line, 1 + has_flag + i), T_B32, &insn->r[2 + i]);
  return ok;
}

static bool decode_vote(Parser *parser, const Line *line, Insn *insn)
{
  static const char *const MODES[] = {"all", "any", "uni", "ballot", NULL};
  int mode = decode_which_part(line, MODES);
  if (mode < 0 || !line_has(line, "sync") || !decode_count_operands(parser, line, 3, 3))
    return parse_fail(parser, line->number, "only 'vote.sync' is executed");
  insn->mode = (uint8_t)mode;
  insn->exec = exec_vote;
  insn->has_mask = line_operand(line, 1)->is_negated;
  return decode_place_of(parser, line, line_operand(line, 0), mode == VOTE_BALLOT ? T_B32 : T_PRED,
                         &insn->r[0]) &&
         decode_place_of(parser, line, line_operand(line, 1), T_PRED, &insn->r[1]) &&
         decode_place_of(parser, line, line_operand(line, 2), T_B32, &insn->r[2]);
}

static bool decode_active_mask(Parser *parser, const Line *line, Insn *insn)
{
  insn->exec = exec_active_mask;
  return decode_count_operands(parser, line, 1, 1) &&
         decode_place_of(parser, line, line_operand(line, 0), T_B32, &insn->r[0]);
}

static bool decode_lop3(Parser *parser, const Line *line, Insn *insn)
{
  insn->exec = exec_logic3;
  bool ok = decode_count_operands(parser, line, 5, 5);
  for (size_t i = 0; i < 4 && ok; i++)
    ok = decode_place_of(parser, line, line_operand(line, i), T_B32, &insn->r[i]);
  insn->mode = ok ? (uint8_t)line_operand(line, 4)->value : 0;
  return ok;
}

/* cp.async.ca.shared.global [to], [from], bytes{, bytes of from}; and its groups. */
static bool decode_cp(Parser *parser, const Line *line, Insn *insn)
{
  if (!line_has(line, "async") || line_has(line, "bulk"))
    return parse_fail(parser, line->number, "of 'cp' only cp.async is executed");
  insn->exec = exec_async_wait;
  if (line_has(line, "commit_group") || line_has(line, "wait_all")) {
    insn->mode = line_has(line, "commit_group") ? 1 : 0;
    return decode_count_operands(parser, line, 0, 0);
  }
  if (line_has(line, "wait_group")) {
    insn->offset = (int64_t)line_operand(line, 0)->value;
    return decode_count_operands(parser, line, 1, 1);
  }
  insn->exec = exec_copy_async;
  if (!decode_count_operands(parser, line, 3, 4) ||
      !decode_address_of(parser, line, line_operand(line, 1), insn))
    return false;
  insn->r[1] = insn->address; /* from */
  insn->r[2] = insn->is_wide_address;
  insn->r[3] = (uint32_t)(int32_t)insn->offset;
  insn->width = (uint8_t)line_operand(line, 2)->value;
  if (line->n_top == 4 && !decode_place_of(parser, line, line_operand(line, 3), T_U32, &insn->r[4]))
    return false;
  return decode_address_of(parser, line, line_operand(line, 0), insn);
}

static bool decode_ldmatrix(Parser *parser, const Line *line, Insn *insn)
{
  insn->exec = exec_load_matrix;
  insn->type = T_B32;
  insn->mode = line_has(line, "trans");
  if (!decode_count_operands(parser, line, 2, 2) ||
      !decode_values(parser, line, line_operand(line, 0), insn))
    return false;
  insn->space = SPACE_SHARED;
  insn->width = 16;
  return decode_address_of(parser, line, line_operand(line, 1), insn);
}

/* mma.sync.aligned.m16n8k16.row.col.D.A.B.C: fragments one behind the other in r. */
static bool decode_mma(Parser *parser, const Line *line, Insn *insn)
{
  static const char *const SHAPES[] = {"m16n8k4", "m16n8k8", "m16n8k16", NULL};
  int shape = decode_which_part(line, SHAPES);
  if (shape < 0 || line->n_types != 4 || !decode_count_operands(parser, line, 4, 4) ||
      line->types[1] != line->types[2] || line->types[0] != line->types[3])
    return parse_fail(parser, line->number, "no such 'mma' is executed here");
  insn->width = (uint8_t)(4 << shape);
  insn->type = (uint8_t)line->types[0];
  insn->type2 = (uint8_t)line->types[1];
  unsigned n_sources = type_bytes(line->types[1]) == 4 ? insn->width / 2u : insn->width / 4u;
  unsigned n_results = insn->type == T_F16 ? 2 : 4;
  const unsigned counts[4] = {n_results, n_sources, n_sources / 2, n_results};
  unsigned at = 0;
  insn->exec = exec_mma;
  for (size_t i = 0; i < 4; i++) {
    const Operand *list = line_operand(line, i);
    if (list->kind != OPERAND_LIST || list->n != counts[i])
      return parse_fail(parser, line->number, "operand %zu of 'mma' is a list of %u", i, counts[i]);
    for (unsigned k = 0; k < list->n; k++)
      if (!decode_place_of(parser, line, &line->flat[list->first + k], T_B32, &insn->r[at++]))
        return false;
  }
  return true;
}

/* call.uni cudaGraphSetConditional, (handle, value); */
static bool decode_call(Parser *parser, const Line *line, Insn *insn)
{
  const Operand *callee = line_operand(line, 0), *arguments = line_operand(line, 1);
  if (!decode_count_operands(parser, line, 2, 2) || callee->kind != OPERAND_LABEL ||
      strcmp(callee->name, "cudaGraphSetConditional") != 0 || arguments->kind != OPERAND_LIST ||
      arguments->n != 2)
    return parse_fail(parser, line->number, "only 'cudaGraphSetConditional' is called here");
  insn->exec = exec_set_conditional;
  return decode_place_of(parser, line, &line->flat[arguments->first], T_B64, &insn->r[0]) &&
         decode_place_of(parser, line, &line->flat[arguments->first + 1], T_B32, &insn->r[1]);
}

static const struct {
  const char *name;
  bool (*decode)(Parser *parser, const Line *line, Insn *insn);
} DECODERS[] = {
    {"mov", decode_mov},         {"setp", decode_setp},    {"cvt", decode_cvt},
    {"cvta", decode_cvta},       {"ld", decode_ld},        {"ldu", decode_ld},
    {"st", decode_st},           {"atom", decode_atomic},  {"red", decode_atomic},
    {"bra", decode_bra},         {"ret", decode_exit},     {"exit", decode_exit},
    {"trap", decode_trap},       {"call", decode_call},    {"bar", decode_barrier},
    {"barrier", decode_barrier}, {"membar", decode_fence}, {"fence", decode_fence},
    {"shfl", decode_shfl},       {"vote", decode_vote},    {"activemask", decode_active_mask},
    {"lop3", decode_lop3},       {"cp", decode_cp},        {"ldmatrix", decode_ldmatrix},
    {"mma", decode_mma},
};

Exec *exec_find_or_null(const char *name, Type type)
{
  static const ExecRow *const TABLES[] = {INTEGER_ROWS, FLOAT_ROWS};
  for (size_t t = 0; t < 2; t++)
    for (const ExecRow *row = TABLES[t]; row->name != NULL; row++)
      if (row->type == type && strcmp(row->name, name) == 0)
        return row->exec;
  return NULL;
}

bool decode_line(Parser *parser, const Line *line, const Operand *guard)
{
  Insn *insn = parse_add_insn(parser, line->number);
  if (guard != NULL) {
    insn->is_guard_negated = guard->is_negated;
    if (!decode_place_of(parser, line, guard, T_PRED, &insn->guard))
      return false;
  }
  for (size_t i = 0; i < sizeof DECODERS / sizeof DECODERS[0]; i++)
    if (strcmp(DECODERS[i].name, line->parts[0]) == 0)
      return DECODERS[i].decode(parser, line, insn);
  return decode_plain(parser, line, insn);
}
