/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* PTX text, decoded once into what can be executed without looking at text again: each operand is
 * the byte offset of its 32 lanes in a warp's register file, where immediates and special registers
 * have places too. What is not understood is an error with its line, never skipped. */
#ifndef ECHO_TESTS_GPU_PTX_H
#define ECHO_TESTS_GPU_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 32 };

typedef enum Type {
  T_NONE,
  T_PRED,
  T_B8,
  T_U8,
  T_S8,
  T_B16,
  T_U16,
  T_S16,
  T_F16,
  T_BF16,
  T_B32,
  T_U32,
  T_S32,
  T_F32,
  T_TF32,
  T_F16X2,
  T_BF16X2,
  T_B64,
  T_U64,
  T_S64,
  T_F64,
  T_B128,
  N_TYPES
} Type;

/* Bytes of one value; 4 for a predicate, whose 32 lanes are the bits of one word. */
unsigned type_bytes(Type type);
bool type_is_signed(Type type);
bool type_is_float(Type type);

typedef enum Space {
  SPACE_GENERIC,
  SPACE_GLOBAL,
  SPACE_SHARED,
  SPACE_LOCAL,
  SPACE_PARAM,
  SPACE_CONST
} Space;

/* What the loop over instructions does itself; all else goes through `exec`. */
typedef enum Flow { FLOW_NEXT, FLOW_BRANCH, FLOW_EXIT, FLOW_BARRIER, FLOW_TRAP } Flow;

typedef enum Rounding { ROUND_NONE, ROUND_EVEN, ROUND_ZERO, ROUND_DOWN, ROUND_UP } Rounding;

typedef struct Warp Warp;
typedef struct Insn Insn;
typedef void Exec(Warp *warp, const Insn *insn, uint32_t mask);

enum { MAX_OPERANDS = 16 };

struct Insn {
  Exec *exec;
  Exec *inner;              /* of .ftz: what exec_flushed runs */
  uint32_t r[MAX_OPERANDS]; /* results first, then sources */
  int64_t offset;           /* of an address, added to r[0] of a store or r[last] of a load */
  uint32_t guard;           /* place of a predicate; 0 = none */
  uint32_t address;         /* place of an address's register; 0 = none */
  int32_t target;           /* of a branch */
  int32_t meets;            /* where the sides of a branch meet again: n_insns = at the end */
  uint32_t line;            /* in the PTX */
  uint8_t flow, type, type2, space, rounding, n, width;
  uint8_t mode; /* what exec makes of it: a comparison, an atomic operation, a shuffle, ... */
  bool is_guard_negated, is_saturated, has_mask, is_wide_address;
  bool gives_f32; /* of .ftz: the result may be a denormal */
};

typedef struct PtxParam {
  uint32_t offset, bytes;
} PtxParam;

/* A variable of a kernel or of the module. */
typedef struct PtxVariable {
  char *name;
  Space space;
  uint32_t bytes, alignment;
  uint64_t address; /* in its space */
  uint8_t *init;    /* bytes, or NULL */
  bool is_extern;
} PtxVariable;

/* A value that all lanes have, written into the register file before a launch. */
typedef struct PtxConstant {
  uint64_t value;
  uint32_t place, bytes;
} PtxConstant;

typedef enum Special {
  SPECIAL_TID_X,
  SPECIAL_TID_Y,
  SPECIAL_TID_Z,
  SPECIAL_NTID_X,
  SPECIAL_NTID_Y,
  SPECIAL_NTID_Z,
  SPECIAL_CTAID_X,
  SPECIAL_CTAID_Y,
  SPECIAL_CTAID_Z,
  SPECIAL_NCTAID_X,
  SPECIAL_NCTAID_Y,
  SPECIAL_NCTAID_Z,
  SPECIAL_LANEID,
  SPECIAL_WARPID,
  SPECIAL_LANEMASK_LT,
  SPECIAL_LANEMASK_LE,
  SPECIAL_LANEMASK_EQ,
  SPECIAL_LANEMASK_GE,
  SPECIAL_LANEMASK_GT,
  SPECIAL_CLOCK,
  N_SPECIALS
} Special;

typedef struct PtxKernel {
  char *name;
  Insn *insns;
  size_t n_insns;
  PtxParam *params;
  size_t n_params;
  uint32_t param_bytes;
  PtxVariable *variables; /* shared and local ones */
  size_t n_variables;
  uint32_t shared_bytes, local_bytes;
  PtxConstant *constants;
  size_t n_constants;
  uint32_t specials[N_SPECIALS];     /* places; 0 = not used */
  uint32_t register_bytes;           /* of a warp's register file */
  uint32_t n_registers, spill_bytes; /* a thread's, from an assembler; 0 = nobody has said */
  uint32_t max_threads;              /* .maxntid or .reqntid; 0 = not said */
} PtxKernel;

typedef struct PtxModule {
  unsigned version; /* 78 for 7.8 */
  unsigned target;  /* 80 for sm_80 */
  PtxKernel *kernels;
  size_t n_kernels;
  PtxVariable *globals; /* .global and .const */
  size_t n_globals;
  char *text; /* a copy, with its lines as they were */
} PtxModule;

/* NULL after an error, which is written to `log`. */
PtxModule *ptx_parse_or_null(const char *text, char *log, size_t log_bytes);
void ptx_destroy(PtxModule *module);
/* The text of a line, 1 for the first, without leading blanks, into `out`. */
void ptx_line(const PtxModule *module, uint32_t line, char *out, size_t out_bytes);

#endif
