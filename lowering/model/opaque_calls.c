/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Custom calls of cuSOLVER, cuBLAS, cuSPARSE and their hip counterparts that JAX made before it had
 * XLA's typed foreign function interface, as the calls of LAPACK that it makes on a CPU. What is an
 * attribute now stood in a C struct's bytes (jaxlib/gpu/solver_kernels.h of 0.4.30), working space
 * was the last results (jaxlib/gpu_solver.py of 0.4.13 and 0.4.30). */
#include <string.h>

#include "lowering/model/chlo_to_stablehlo_t.h"
#include "lowering/model/lapack_calls_t.h"

/* ---- descriptors ---- */

/* Little-endian words of 32 bits, each struct's first: type of elements (0 to 3), then
 *   syevd, syevj, sytrd   uplo, batch, n, …
 *   gesvd                 batch, m, n, lwork, and the characters jobu, jobvt
 *   gesvdj                batch, m, n, lwork, jobz, econ */
enum { UPLO_WORD = 1, JOBZ_WORD = 5, ECON_WORD = 6, JOBU_BYTE = 20 };

static bool read_word(const EchoOp *op, size_t i, int64_t *number)
{
  EchoStr bytes = echo_op_attr_string(op, "backend_config");
  if (bytes.size < 4 * (i + 1))
    return false;
  *number = 0;
  for (size_t k = 4; k-- > 0;)
    *number = *number << 8 | (unsigned char)bytes.data[4 * i + k];
  return true;
}

/* *number = 0 or 1 where the word is one of these. */
static bool read_choice(const EchoOp *op, size_t word, const int64_t choices[2], int64_t *number)
{
  int64_t value;
  if (!read_word(op, word, &value) || (value != choices[0] && value != choices[1]))
    return false;
  *number = value == choices[1];
  return true;
}

static bool is_hip(const EchoOp *op)
{
  return echo_op_attr_string(op, "call_target_name").data[0] == 'h';
}

/* "lower": the lower triangle is given; "vectors": and wanted, "whole": all of them; "u" and "a":
 * the same two of a character. */
static bool read_descriptor(const EchoOp *op, EchoStr key, int64_t *number, const EchoType **type)
{
  /* cublasFillMode_t and cusolverEigMode_t; hipsolverFillMode_t and hipsolverEigMode_t */
  static const int64_t FILLS[2][2] = {{1, 0}, {121, 122}}, MODES[2][2] = {{0, 1}, {201, 202}};
  static const int64_t FLAGS[2] = {1, 0};
  *type = echo_type_integer(echo_op_context(op), 8, ECHO_UNSIGNED);
  if (echo_str_is(key, "lower"))
    return read_choice(op, UPLO_WORD, FILLS[is_hip(op)], number);
  if (echo_str_is(key, "vectors"))
    return read_choice(op, JOBZ_WORD, MODES[is_hip(op)], number);
  if (echo_str_is(key, "whole"))
    return read_choice(op, ECON_WORD, FLAGS, number);
  EchoStr bytes = echo_op_attr_string(op, "backend_config");
  char job = bytes.size > JOBU_BYTE ? bytes.data[JOBU_BYTE] : '\0';
  *number = echo_str_is(key, "a") ? job == 'A' : job != 'N';
  return job != '\0' && strchr("ANS", job) != NULL;
}

/* ---- routines ---- */

typedef struct OpaqueRoutine {
  const char *name;                           /* behind "cu" or "hip" */
  uint32_t n_operands, n_matrices, n_results; /* behind the matrices, the size of the batch */
  size_t rank;                                /* of the first operand, behind the batch */
  const char *routine;                        /* of complex numbers; NULL: the same */
  EchoLapackForm form;
} OpaqueRoutine;

#define LOWER "uplo=lower:UL"

static const OpaqueRoutine ROUTINES[] = {
    {"solver_getrf", 1, 1, 4, 2, NULL, {"getrf", "012", "", false}},
    {"blas_getrf_batched", 1, 1, 4, 2, NULL, {"getrf", "012", "", false}},
    {"solver_geqrf", 1, 1, 4, 2, NULL, {"geqrf", "01", "", false}},
    {"blas_geqrf_batched", 1, 1, 4, 2, NULL, {"geqrf", "01", "", false}},
    {"solver_orgqr", 2, 2, 3, 2, "ungqr", {"orgqr", "0", "", false}},
    {"solver_syevd", 1, 1, 4, 2, "heevd", {"syevd", "012", "mode=:V " LOWER, false}},
    {"solver_syevd", 2, 1, 4, 2, "heevd", {"syevd", "012", "mode=:V " LOWER, false}},
    {"solver_syevj", 1, 1, 4, 2, "heevd", {"syevd", "012", "mode=:V " LOWER, false}},
    {"solver_sytrd", 1, 1, 6, 2, "hetrd", {"sytrd", "01234", LOWER, false}},
    {"solver_gesvd", 1, 1, 6, 2, NULL, {"gesdd", "01234", "mode=a+u:NNSA", false}},
    {"solver_gesvd", 1, 1, 6, 2, NULL, {"gesdd", "01324", "mode=a+u:NNSA", true}}, /* transposed */
    {"solver_gesvdj", 1, 1, 6, 2, NULL, {"gesdd", "012D4", "mode=whole+vectors:NNSA", false}},
    {"sparse_gtsv2_f32", 4, 4, 2, 1, NULL, {"gtsv", "abc0i", "", false}},
    {"sparse_gtsv2_f64", 4, 4, 2, 1, NULL, {"gtsv", "abc0i", "", false}},
};

static bool lower_routine(EchoBuilder *b, const EchoOp *op, const OpaqueRoutine *routine,
                          EchoValue **results)
{
  EchoValue *operands[4], *made[ECHO_LAPACK_MAX_RESULTS];
  for (uint32_t i = 0; i < routine->n_matrices; i++)
    operands[i] = echo_op_operand(op, i);
  EchoLapackForm form = routine->form;
  char letter = echo_lapack_letter(operands[0]->type);
  if (routine->routine != NULL && (letter == 'c' || letter == 'z'))
    form.routine = routine->routine;
  if (!echo_lapack_call(b, op, &form, operands, routine->n_matrices, routine->rank, read_descriptor,
                        made))
    return false;
  echo_lapack_results(b, op, &form, made, results);
  return true;
}

/* The target without the library's company; empty where it is none of theirs. */
static EchoStr name_of(EchoStr target)
{
  size_t n = target.size > 2 && memcmp(target.data, "cu", 2) == 0    ? 2
             : target.size > 3 && memcmp(target.data, "hip", 3) == 0 ? 3
                                                                     : target.size;
  return (EchoStr){target.data + n, target.size - n};
}

static bool lower_call(EchoBuilder *b, const EchoOp *op, EchoValue **results)
{
  EchoStr name = name_of(echo_op_attr_string(op, "call_target_name"));
  for (size_t i = 0; i < sizeof ROUTINES / sizeof *ROUTINES; i++)
    if (echo_str_is(name, ROUTINES[i].name) && op->n_operands == ROUTINES[i].n_operands &&
        op->n_results == ROUTINES[i].n_results && lower_routine(b, op, &ROUTINES[i], results))
      return true;
  return false;
}

static bool lower_opaque_call(EchoRewriter *rewriter, EchoOp *op)
{
  return echo_replace_call(rewriter, op, lower_call);
}

const EchoPattern ECHO_OPAQUE_CALLS_PATTERNS[] = {
    {"stablehlo.custom_call", 0, lower_opaque_call, "the call of today"},
};
const size_t ECHO_N_OPAQUE_CALLS_PATTERNS =
    sizeof ECHO_OPAQUE_CALLS_PATTERNS / sizeof ECHO_OPAQUE_CALLS_PATTERNS[0];
