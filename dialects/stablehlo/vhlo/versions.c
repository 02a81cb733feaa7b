/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What VHLO had in which version: ops that came later than 0.9.0 or have changed since, and types
 * that came later. */
#include "dialects/stablehlo/vhlo/vhlo_t.h"

#include <stdio.h>

typedef struct Span {
  uint32_t major, minor;
} Span;

#define NEWEST                                                                                     \
  {                                                                                                \
    UINT32_MAX, 0                                                                                  \
  }

typedef struct OpVersion {
  const char *op;
  unsigned version; /* of the op */
  Span first, last; /* versions of VHLO that have it so */
} OpVersion;

/* By name. */
static const OpVersion OPS[] = {
    {"all_gather", 1, {0, 9}, {1, 4}},
    {"all_gather", 2, {1, 5}, NEWEST},
    {"all_reduce", 1, {0, 9}, {1, 4}},
    {"all_reduce", 2, {1, 5}, NEWEST},
    {"all_to_all", 1, {0, 9}, {1, 4}},
    {"all_to_all", 2, {1, 5}, NEWEST},
    {"async_done", 1, {1, 15}, NEWEST},
    {"async_start", 1, {1, 15}, NEWEST},
    {"cbrt", 1, {0, 9}, {1, 9}},
    {"cbrt", 2, {1, 10}, NEWEST},
    {"collective_broadcast", 1, {0, 16}, {1, 19}},
    {"collective_broadcast", 2, {1, 20}, NEWEST},
    {"collective_reduce", 1, {1, 19}, NEWEST},
    {"composite", 1, {0, 19}, {1, 13}},
    {"composite", 2, {1, 14}, NEWEST},
    {"cosine", 1, {0, 9}, {1, 9}},
    {"cosine", 2, {1, 10}, NEWEST},
    {"custom_call", 1, {0, 9}, {1, 17}},
    {"custom_call", 2, {1, 18}, NEWEST},
    {"dot_general", 1, {0, 9}, {1, 5}},
    {"dot_general", 2, {1, 6}, NEWEST},
    {"dynamic_conv", 1, {0, 9}, {0, 19}},
    {"dynamic_conv", 2, {0, 20}, NEWEST},
    {"dynamic_gather", 1, {0, 9}, {1, 0}},
    {"dynamic_gather", 2, {1, 1}, NEWEST},
    {"exponential_minus_one", 1, {0, 9}, {1, 9}},
    {"exponential_minus_one", 2, {1, 10}, NEWEST},
    {"exponential", 1, {0, 9}, {1, 8}},
    {"exponential", 2, {1, 9}, NEWEST},
    {"gather", 1, {0, 9}, {1, 0}},
    {"gather", 2, {1, 1}, NEWEST},
    {"log_plus_one", 1, {0, 9}, {1, 9}},
    {"log_plus_one", 2, {1, 10}, NEWEST},
    {"log", 1, {0, 9}, {1, 9}},
    {"log", 2, {1, 10}, NEWEST},
    {"logistic", 1, {0, 9}, {1, 9}},
    {"logistic", 2, {1, 10}, NEWEST},
    {"recv", 1, {0, 9}, {1, 11}},
    {"recv", 2, {1, 12}, NEWEST},
    {"rsqrt", 1, {0, 9}, {1, 9}},
    {"rsqrt", 2, {1, 10}, NEWEST},
    {"scatter", 1, {0, 9}, {1, 0}},
    {"scatter", 2, {1, 1}, NEWEST},
    {"send", 1, {0, 9}, {1, 11}},
    {"send", 2, {1, 12}, NEWEST},
    {"sine", 1, {0, 9}, {1, 9}},
    {"sine", 2, {1, 10}, NEWEST},
    {"sqrt", 1, {0, 9}, {1, 9}},
    {"sqrt", 2, {1, 10}, NEWEST},
    {"tan", 1, {1, 4}, {1, 9}},
    {"tan", 2, {1, 10}, NEWEST},
    {"tanh", 1, {0, 9}, {1, 9}},
    {"tanh", 2, {1, 10}, NEWEST},
};

static int compare(Span a, EchoVhloVersion b)
{
  if (a.major != b.major)
    return a.major < b.major ? -1 : 1;
  return (a.minor > b.minor) - (a.minor < b.minor);
}

bool echo_vhlo_parse_version(const char *text, EchoVhloVersion *version)
{
  char rest;
  unsigned major, minor, patch;
  if (text == NULL || version == NULL || strspn(text, "0123456789.") != strlen(text) ||
      sscanf(text, "%5u.%5u.%5u%c", &major, &minor, &patch, &rest) != 3)
    return false;
  *version = (EchoVhloVersion){major, minor, patch};
  return compare((Span){0, 9}, *version) <= 0 &&
         compare((Span){ECHO_VHLO_NEWEST_MAJOR, ECHO_VHLO_NEWEST_MINOR}, *version) >= 0;
}

uint32_t echo_vhlo_bytecode_version(EchoVhloVersion version)
{
  static const struct {
    Span below;
    uint32_t bytecode;
  } BYTECODE[] = {{{0, 10}, 0}, {{0, 12}, 1}, {{0, 14}, 3}, {{0, 15}, 4}};
  for (size_t i = 0; i < sizeof BYTECODE / sizeof *BYTECODE; i++)
    if (compare(BYTECODE[i].below, version) > 0)
      return BYTECODE[i].bytecode;
  return 6;
}

bool echo_vhlo_has(EchoVhloVersion version, unsigned major, unsigned minor)
{
  return compare((Span){major, minor}, version) <= 0;
}

unsigned echo_vhlo_op_version(EchoStr op, EchoVhloVersion version, bool *is_remade)
{
  static const EchoVhloVersion MADE = {ECHO_STABLEHLO_VERSION_MAJOR, ECHO_STABLEHLO_VERSION_MINOR,
                                       ECHO_STABLEHLO_VERSION_PATCH};
  *is_remade = false;
  unsigned otherwise = 1;
  for (size_t i = 0; i < sizeof OPS / sizeof *OPS; i++) {
    if (!echo_str_is(op, OPS[i].op))
      continue;
    otherwise = 0;
    if (compare(OPS[i].first, version) > 0 || compare(OPS[i].last, version) < 0)
      continue;
    *is_remade = compare(OPS[i].last, MADE) < 0;
    return OPS[i].version;
  }
  return otherwise;
}
