/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Two contexts with one of everything in them, here and there, for check_doors.py: what it calls
 * the functions of the installed headers with. An argument of another context is the same
 * expression with "there" for "here". Each call runs in a process of its own on a fresh copy. */
#ifndef ECHO_TESTS_LAWS_DOORS_WORLD_H
#define ECHO_TESTS_LAWS_DOORS_WORLD_H

#include <echo/codegen/loader.h>
#include <echo/dialects/interfaces/evaluate.h>
#include <echo/dialects/kernel/call_target.h>
#include <echo/dialects/kernel/kernel.h>
#include <echo/echo.h>
#include <echo/ir/pass/rewrite.h>
#include <echo/ir/symbol.h>
#include <echo/ir/verify/dominance.h>
#include <echo/jit/data/npy.h>
#include <echo/jit/data/npz.h>
#include <echo/jit/data/safetensors.h>
#include <echo/jit/driver/plugin.h>
#include <echo/jit/report/memory_timeline.h>

typedef struct World {
  EchoContext *ctx;
  EchoPassRegistry *passes;
  EchoPassManager *manager;
  EchoDevice *device;
  EchoExecutable *step;
  EchoDeviceBuffer *buffer, *args[2], *results[2];
  EchoLoader *loader, *filled_loader;
  EchoCopyStream *stream;
  EchoThreadPool *pool;
  /* %x and %z: tensor<4x8xf32>, %y: tensor<8x4xf32>, %index: index, %counter: tensor<i32> */
  EchoOp *module, *func, *arith, *loop, *op, *last;
  EchoOp *detached, *empty, *branch, *kernel, *library;          /* in no block */
  EchoOp *step_module, *step_main, *planned, *loops, *gpu_loops; /* a step, and what comes of it */
  EchoBlock *block, *detached_block;
  EchoRegion *region; /* of the loop */
  EchoBuilder builder, inner[3];
  EchoValue *x, *z, *y, *index, *counter, *low, *sum, *made[8];
  EchoValue *values[2], *indices[2], *starts[2], *gaps[2]; /* gaps: one is NULL */
  const EchoType *f32, *i32, *i64, *tensor, *tensor_i32, *memref_type, *function_type, *types[2],
      *type_gaps[2];
  const EchoAttr *unit, *dictionary, *elements, *integers, *ints, *place, *symbol, *resource,
      *type_word, *attrs[2], *attr_gaps[2], *strings[2];
  const EchoAffineExpr *dim, *exprs[2], *expr_gaps[2];
  EchoNamedAttr entries[1], bad_entries[1];
  EchoAttrArg attr_args[1], bad_attr_args[1], func_args[3];
  EchoTextPart part[1], bad_part[1];
  EchoOpState state;
  const EchoOpSpec *spec;
  EchoLoc loc;
  EchoLibraryCall call;
  EchoTensor *tensor_data;
  EchoTensorSet set;
  EchoMetadataList metadata;
  EchoMap map;
  EchoBuffer said, printed; /* said: of errors */
  EchoSymbolTable symbols;
  EchoDominance *dominance;
  EchoMemoryTimeline timeline;
  EchoDeviceModel model;
  EchoStr npy, npz, safetensors, object;
  const char *path, *plugin_path;
  char bytes[256];
} World;

extern World here, there;

/* Belong to no context. */
extern const EchoDiagnostic DIAGNOSTIC;
extern const EchoDialect DIALECT;
extern const EchoPass PASS;
extern const EchoPluginInfo PLUGIN;
extern const EchoStageLowering LOWERING;
extern const EchoCallTarget CALL_TARGET;
extern const EchoPattern PATTERN;
extern const EchoDotDims DOT;
extern const EchoConvDims CONV;
extern const EchoGatherDims GATHER;
extern const EchoScatterDims SCATTER;
extern const EchoWindowDim WINDOWS[4];
/* Made as asked for: a new argument of the function, a type, an attribute. */
EchoValue *value(EchoOp *func, const char *type_text);
const EchoType *type(EchoContext *ctx, const char *text);
const EchoAttr *attribute(EchoContext *ctx, const char *text);
bool take_text(void *user, EchoStr piece);
void pass_over(void *user);
EchoWalkResult walk_on(void *user, EchoOp *op);

/* What came of a call. */
typedef enum Answer { NO, YES, NEITHER } Answer; /* NEITHER: nothing that says */
typedef Answer CallFn(void);

typedef struct Call {
  const char *function, *parameter; /* parameter NULL: all arguments are good */
  const char *how;                  /* what the parameter is: "NULL", "of another context" … */
  const char *arguments;            /* as written */
  CallFn *run;
  bool is_taken; /* by contract: a NULL that stands for a default */
  bool is_quiet; /* NO needs no reason: there is nobody to tell, or it is a question */
  bool is_free;  /* the argument need not be named: the others do not fit it */
  bool panics;   /* by contract: for code, not for input */
} Call;

extern const Call CALLS[];
extern const size_t N_CALLS;

#endif
