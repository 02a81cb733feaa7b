/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* GPU kernels to PTX: one LLVM module for all of a gpu.module, each kernel preceded by comments
 * that say where it came from and how it is launched. */
#include <llvm-c/Analysis.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "codegen/codegen.h"
#include "codegen/emit_t.h"
#include "codegen/target_t.h"
#include "dialects/arith/arith.h"
#include "dialects/gpu/gpu.h"
#include "dialects/interfaces/denormals.h"
#include "planning/cost/target.h"

static const char TRIPLE[] = "nvptx64-nvidia-cuda";
/* Nothing vectorises: threads are the lanes. */
static const char PIPELINE[] =
    "function(sroa,early-cse,loop-simplify,lcssa,loop-mssa(licm),loop(loop-unroll-full),"
    "instcombine<no-verify-fixpoint>,"
    "early-cse<memssa>,simplifycfg,infer-alignment,load-store-vectorizer,adce)";
enum { KERNEL_CONVENTION = 71, SHARED_SPACE = 3 };

typedef struct Ptx {
  EchoContext *ctx;
  const EchoTargetInfo *info;
  EchoEmitTable table;
  EchoEmitError error;
  LLVMContextRef llvm;
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
} Ptx;

static void on_llvm_diagnostic(LLVMDiagnosticInfoRef info, void *user)
{
  EchoEmitError *error = user;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || error->message.size != 0)
    return;
  char *text = LLVMGetDiagInfoDescription(info);
  echo_buffer_append_c(&error->message, text);
  LLVMDisposeMessage(text);
}

static bool fail(Ptx *ptx, char *message)
{
  if (ptx->error.message.size == 0)
    echo_buffer_append_c(&ptx->error.message, message != NULL ? message : "LLVM failed");
  LLVMDisposeMessage(message);
  return false;
}

/* ---- one kernel ---- */

static void annotate(const Ptx *ptx, LLVMValueRef function, const char *name, int64_t value)
{
  LLVMTypeRef i32 = LLVMInt32TypeInContext(ptx->llvm);
  LLVMMetadataRef operands[] = {
      LLVMValueAsMetadata(function), LLVMMDStringInContext2(ptx->llvm, name, strlen(name)),
      LLVMValueAsMetadata(LLVMConstInt(i32, (unsigned long long)value, false))};
  LLVMAddNamedMetadataOperand(
      ptx->module, "nvvm.annotations",
      LLVMMetadataAsValue(ptx->llvm, LLVMMDNodeInContext2(ptx->llvm, operands, 3)));
}

static LLVMValueRef add_shared(EchoEmitter *emitter, LLVMTypeRef array, const char *name)
{
  LLVMValueRef global = LLVMAddGlobalInAddressSpace(emitter->module, array, name, SHARED_SPACE);
  LLVMSetAlignment(global, ECHO_GPU_SHARED_ALIGNMENT);
  return global;
}

/* `bytes` into what launches hand over. */
static LLVMValueRef dynamic_shared_memory(EchoEmitter *emitter, uint64_t bytes)
{
  static const char NAME[] = "dynamic_shared";
  LLVMTypeRef byte = LLVMInt8TypeInContext(emitter->llvm);
  LLVMValueRef global = LLVMGetNamedGlobal(emitter->module, NAME);
  if (global == NULL)
    global = add_shared(emitter, LLVMArrayType2(byte, 0), NAME);
  LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(emitter->llvm), bytes, false);
  return LLVMConstGEP2(byte, global, &offset, 1);
}

/* Pointers to the memrefs' bytes in the block's shared memory, arguments from `first` on. */
static bool set_shared_memory(EchoEmitter *emitter, const EchoOp *func, uint32_t first)
{
  const EchoBlock *entry = echo_op_body(func, 0);
  bool is_dynamic = echo_gpu_dynamic_shared_bytes(func) != 0;
  uint64_t at = 0;
  for (uint32_t i = first; i < entry->n_args; ++i) {
    const EchoValue *argument = echo_block_arg(entry, i);
    LLVMTypeRef element = echo_emit_memory_type_or_null(emitter, argument->type->as.shaped.element);
    int64_t n = 0;
    if (element == NULL || !echo_type_n_elements(argument->type, &n)) {
      echo_emit_error(emitter, func, "has shared memory that PTX is not generated for");
      return false;
    }
    if (is_dynamic) {
      echo_emit_set(emitter, argument, dynamic_shared_memory(emitter, at));
      at += echo_align_up(echo_type_static_bytes(argument->type), ECHO_GPU_SHARED_ALIGNMENT);
      continue;
    }
    LLVMTypeRef array = LLVMArrayType2(element, (uint64_t)n);
    LLVMValueRef global = add_shared(emitter, array, "shared");
    LLVMSetInitializer(global, LLVMGetUndef(array));
    LLVMSetLinkage(global, LLVMInternalLinkage);
    echo_emit_set(emitter, argument, global);
  }
  return true;
}

/* ---- what the plan knows of arguments ---- */

enum { WIDEST_ACCESS = 16 };

static void add_parameter_attribute(const Ptx *ptx, LLVMValueRef function, uint32_t parameter,
                                    const char *name, uint64_t value)
{
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, parameter + 1, LLVMCreateEnumAttribute(ptx->llvm, kind, value));
}

/* Aligned ones are accessed 16 bytes at once, read-only ones past the coherent cache. */
static void state_facts(const Ptx *ptx, LLVMValueRef function, const EchoOp *func, uint32_t n)
{
  const EchoAttr *alignments = echo_op_attr_or_null(func, "kernel.alignments");
  const EchoAttr *read_only = echo_op_attr_or_null(func, "kernel.read_only");
  for (uint32_t i = 0; alignments != NULL && i < n && i < echo_attr_ints_size(alignments); ++i) {
    int64_t alignment = echo_attr_ints_get(alignments, i);
    add_parameter_attribute(ptx, function, i, "align",
                            (uint64_t)(alignment < WIDEST_ACCESS ? alignment : WIDEST_ACCESS));
  }
  for (size_t i = 0; read_only != NULL && i < echo_attr_ints_size(read_only); ++i) {
    int64_t argument = echo_attr_ints_get(read_only, i);
    add_parameter_attribute(ptx, function, (uint32_t)argument, "noalias", 0);
    add_parameter_attribute(ptx, function, (uint32_t)argument, "readonly", 0);
  }
}

/* ---- the width of index values ---- */

/* Positions, loop bounds and steps past them stay below twice this. */
enum { MAX_NARROW = 1 << 30 };

static bool is_small_memref(const EchoType *type)
{
  int64_t n = 0;
  return type->kind != ECHO_TYPE_MEMREF || (echo_type_n_elements(type, &n) && n < MAX_NARROW);
}

/* Whether an op keeps index values within 32 bits, where memrefs are small: addresses do not fit,
 * and what is cast to an index is somebody's data. */
static bool keeps_narrow(const EchoOp *op)
{
  int64_t value = 0;
  if (echo_op_is(op, "memref.extract_aligned_pointer_as_index"))
    return false;
  for (uint32_t i = 0; i < op->n_results; ++i)
    if (!is_small_memref(echo_op_result_type(op, i)))
      return false;
  bool is_cast = echo_op_is(op, "arith.index_cast"),
       is_ucast = echo_op_is(op, "arith.index_castui");
  if ((is_cast || is_ucast) && echo_op_operand_type(op, 0)->kind == ECHO_TYPE_INTEGER)
    return echo_op_operand_type(op, 0)->as.integer.width <= (is_ucast ? 31u : 32u);
  return op->n_results != 1 || echo_op_result_type(op, 0)->kind != ECHO_TYPE_INDEX ||
         !echo_arith_constant_i64(echo_op_result(op, 0), &value) ||
         (value > -MAX_NARROW && value < MAX_NARROW);
}

static bool fits_narrow_index(const EchoOp *func)
{
  const EchoBlock *entry = echo_op_body(func, 0);
  const EchoAttr *grid = echo_op_attr_or_null(func, "known_grid_size");
  if (grid == NULL || echo_attr_ints_get(grid, 0) >= MAX_NARROW ||
      echo_op_has_attr(func, "kernel.wide_index"))
    return false;
  for (uint32_t i = 0; i < entry->n_args; ++i)
    if (!is_small_memref(echo_block_arg(entry, i)->type))
      return false;
  for (const EchoOp *op = func; op != NULL; op = echo_op_walk_next((EchoOp *)func, (EchoOp *)op))
    if (!keeps_narrow(op))
      return false;
  return true;
}

static bool add_kernel(Ptx *ptx, EchoEmitter *emitter, const EchoOp *func)
{
  emitter->has_narrow_index = fits_narrow_index(func);
  const EchoType *type = echo_op_attr_or_null(func, "function_type")->as.type_value;
  uint32_t n = type->as.function.n_inputs;
  LLVMTypeRef *parameters = echo_alloc_array(n + 1, sizeof *parameters);
  for (uint32_t i = 0; i < n; ++i)
    parameters[i] = LLVMPointerTypeInContext(ptx->llvm, 0);
  LLVMTypeRef signature = LLVMFunctionType(LLVMVoidTypeInContext(ptx->llvm), parameters, n, false);
  echo_free(parameters);
  EchoStr name = echo_op_attr_string(func, "sym_name");
  char *symbol = echo_alloc(name.size + 1);
  memcpy(symbol, name.data, name.size);
  symbol[name.size] = '\0';
  emitter->function = LLVMAddFunction(ptx->module, symbol, signature);
  echo_free(symbol);
  LLVMSetFunctionCallConv(emitter->function, KERNEL_CONVENTION);
  echo_emit_denormals(emitter, "denormal-fp-math-f32"); /* no GPU flushes those of f64 */
  annotate(ptx, emitter->function, "kernel", 1);
  state_facts(ptx, emitter->function, func, n);
  const EchoAttr *block = echo_op_attr_or_null(func, "known_block_size");
  if (block != NULL)
    annotate(ptx, emitter->function, "maxntidx", echo_attr_ints_get(block, 0));
  emitter->entry = LLVMAppendBasicBlockInContext(ptx->llvm, emitter->function, "entry");
  LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(ptx->llvm, emitter->function, "body");
  echo_map_clear(&emitter->values);
  LLVMPositionBuilderAtEnd(emitter->builder, emitter->entry);
  LLVMBuildBr(emitter->builder, body);
  LLVMPositionBuilderAtEnd(emitter->builder, body);
  const EchoBlock *entry = echo_op_body(func, 0);
  for (uint32_t i = 0; i < n; ++i)
    echo_emit_set(emitter, echo_block_arg(entry, i), LLVMGetParam(emitter->function, i));
  if (!set_shared_memory(emitter, func, n) || !echo_emit_block(emitter, entry))
    return false;
  LLVMBuildRetVoid(emitter->builder);
  return true;
}

static bool translate(Ptx *ptx, const EchoOp *gpu_module)
{
  EchoEmitter emitter = {.table = &ptx->table,
                         .llvm = ptx->llvm,
                         .module = ptx->module,
                         .builder = LLVMCreateBuilderInContext(ptx->llvm),
                         .is_device = true,
                         .rounds_to_bf16 = ptx->info->has_tensor_cores,
                         .flushes_denormals = echo_op_flushes_denormals(gpu_module),
                         .error = &ptx->error};
  bool fine = true;
  for (const EchoOp *op = echo_op_body(gpu_module, 0)->first; op != NULL && fine; op = op->next)
    if (echo_op_is(op, "gpu.func"))
      fine = add_kernel(ptx, &emitter, op);
  echo_map_destroy(&emitter.values);
  LLVMDisposeBuilder(emitter.builder);
  return fine;
}

/* ---- the text ---- */

static EchoStr next_line(EchoStr *text)
{
  const char *end = memchr(text->data, '\n', text->size);
  size_t size = end != NULL ? (size_t)(end - text->data) + 1 : text->size;
  EchoStr line = {text->data, size};
  text->data += size;
  text->size -= size;
  return line;
}

static bool contains(EchoStr line, const char *word)
{
  return memmem(line.data, line.size, word, strlen(word)) != NULL;
}

/* LLVM has one switch for f32 and f16, and for arithmetic and what only moves bits. Denormals of
 * f16 are numbers like others (base/float_mode.h), and a sign changes nothing of them: no .ftz
 * there. */
static void append_line(EchoStr line, EchoBuffer *out)
{
  static const char FTZ[] = ".ftz";
  const char *at = memmem(line.data, line.size, FTZ, sizeof FTZ - 1);
  bool keeps =
      contains(line, ".ftz.f16") || contains(line, "neg.ftz.") || contains(line, "abs.ftz.");
  if (at == NULL || !keeps) {
    echo_buffer_append_str(out, line);
    return;
  }
  size_t head = (size_t)(at - line.data), rest = head + sizeof FTZ - 1;
  echo_buffer_append(out, line.data, head);
  echo_buffer_append(out, line.data + rest, line.size - rest);
}

static const EchoOp *kernel_named(const EchoMap *by_order, size_t index)
{
  return (const EchoOp *)(uintptr_t)echo_map_get_or(by_order, index, 0);
}

static void append_comments(const EchoOp *func, const char *mark, EchoBuffer *out)
{
  const EchoAttr *source = echo_op_attr_or_null(func, "kernel.source");
  const EchoAttr *block = echo_op_attr_or_null(func, "known_block_size");
  const EchoAttr *grid = echo_op_attr_or_null(func, "known_grid_size");
  EchoStr kind = echo_op_attr_string(func, "kernel.kind");
  echo_buffer_printf(out, "%s kernel %.*s", mark,
                     ECHO_STR_ARG(echo_op_attr_string(func, "sym_name")));
  if (kind.size != 0)
    echo_buffer_printf(out, " (%.*s)", ECHO_STR_ARG(kind));
  if (block != NULL && grid != NULL)
    echo_buffer_printf(out, ": grid %lld, block %lld", (long long)echo_attr_ints_get(grid, 0),
                       (long long)echo_attr_ints_get(block, 0));
  uint64_t shared = echo_gpu_dynamic_shared_bytes(func);
  if (shared != 0)
    echo_buffer_printf(out, ", dynamic shared memory %llu", (unsigned long long)shared);
  if (echo_op_has_attr(func, "kernel.bytes") && echo_op_has_attr(func, "kernel.flops"))
    echo_buffer_printf(out, "; bytes %lld, flops %lld",
                       (long long)echo_op_attr_i64(func, "kernel.bytes", 0),
                       (long long)echo_op_attr_i64(func, "kernel.flops", 0));
  echo_buffer_append_c(out, "\n");
  for (size_t i = 0; source != NULL && i < source->as.array.size; ++i)
    echo_buffer_printf(out, "%s   %.*s\n", mark,
                       ECHO_STR_ARG(source->as.array.elements[i]->as.string));
}

/* Puts each kernel's comments, behind `mark`, before the line that begins it, with `entry`; LLVM
 * writes kernels in the module's order. */
static void append_text(const EchoOp *gpu_module, EchoStr ptx, EchoStr entry, const char *mark,
                        EchoBuffer *out)
{
  EchoMap kernels = {0};
  size_t n = 0, next = 0;
  for (const EchoOp *op = echo_op_body(gpu_module, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "gpu.func"))
      echo_map_set(&kernels, n++, echo_key(op));
  /* LLVM's own comment ("// .globl name // -- Begin function name") stands right above the entry */
  while (ptx.size != 0) {
    EchoStr line = next_line(&ptx);
    if (line.size >= entry.size && memcmp(line.data, entry.data, entry.size) == 0 && next < n)
      append_comments(kernel_named(&kernels, next++), mark, out);
    append_line(line, out);
  }
  echo_map_destroy(&kernels);
}

static bool create_machine(Ptx *ptx, const char *target)
{
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  LLVMTargetRef llvm_target = NULL;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(TRIPLE, &llvm_target, &message))
    return fail(ptx, message);
  ptx->machine =
      LLVMCreateTargetMachine(llvm_target, TRIPLE, target, "+ptx78", LLVMCodeGenLevelDefault,
                              LLVMRelocDefault, LLVMCodeModelDefault);
  return ptx->machine != NULL;
}

static bool optimize(Ptx *ptx)
{
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failure = LLVMRunPasses(ptx->module, PIPELINE, ptx->machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (failure != LLVMErrorSuccess) {
    char *text = LLVMGetErrorMessage(failure);
    echo_buffer_append_c(&ptx->error.message, text);
    LLVMDisposeErrorMessage(text);
    return false;
  }
  if (ptx->info->has_tensor_cores)
    echo_pair_halves(ptx->module);
  echo_bytes_as_words(ptx->module);
  return true;
}

static void emit_llvm(Ptx *ptx, const EchoOp *gpu_module, EchoBuffer *out)
{
  char *text = LLVMPrintModuleToString(ptx->module);
  append_text(gpu_module, echo_str(text), ECHO_STR("define ptx_kernel "), ";", out);
  LLVMDisposeMessage(text);
}

static bool emit_text(Ptx *ptx, const EchoOp *gpu_module, EchoGpuText kind, EchoBuffer *out)
{
  char *message = NULL;
  if (LLVMVerifyModule(ptx->module, LLVMReturnStatusAction, &message))
    return fail(ptx, message);
  LLVMDisposeMessage(message);
  if (kind != ECHO_GPU_LLVM_UNOPTIMIZED && !optimize(ptx))
    return false;
  if (kind != ECHO_GPU_PTX) {
    emit_llvm(ptx, gpu_module, out);
    return true;
  }
  LLVMMemoryBufferRef buffer = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(ptx->machine, ptx->module, LLVMAssemblyFile, &message,
                                          &buffer))
    return fail(ptx, message);
  EchoStr text = {LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer)};
  if (ptx->error.message.size == 0)
    append_text(gpu_module, text, ECHO_STR(".visible .entry "), "//", out);
  LLVMDisposeMemoryBuffer(buffer);
  return ptx->error.message.size == 0;
}

static bool emit_gpu_module(EchoContext *ctx, const EchoOp *gpu_module, const EchoTargetInfo *info,
                            EchoGpuText kind, EchoBuffer *out)
{
  Ptx ptx = {.ctx = ctx, .info = info};
  echo_emit_table_create(&ptx.table, ctx);
  ptx.llvm = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(ptx.llvm, on_llvm_diagnostic, &ptx.error);
  ptx.module = LLVMModuleCreateWithNameInContext("kernels", ptx.llvm);
  bool fine = create_machine(&ptx, info->name);
  if (fine) {
    LLVMSetTarget(ptx.module, TRIPLE);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(ptx.machine);
    LLVMSetModuleDataLayout(ptx.module, layout);
    LLVMDisposeTargetData(layout);
    fine = translate(&ptx, gpu_module) && emit_text(&ptx, gpu_module, kind, out);
  }
  if (!fine)
    echo_op_error(ptx.error.op != NULL ? ptx.error.op : gpu_module, "%s",
                  echo_buffer_c_str(&ptx.error.message));
  LLVMDisposeModule(ptx.module);
  if (ptx.machine != NULL)
    LLVMDisposeTargetMachine(ptx.machine);
  LLVMContextDispose(ptx.llvm);
  echo_emit_table_destroy(&ptx.table);
  echo_buffer_destroy(&ptx.error.message);
  return fine;
}

bool echo_codegen_gpu(EchoContext *ctx, EchoOp *module, const char *target, EchoGpuText kind,
                      EchoBuffer *out)
{
  EchoLoc nowhere = echo_loc_unknown();
  if (ctx == NULL)
    return false; /* nobody to tell */
  if (module == NULL || target == NULL || out == NULL)
    return echo_misuse(ctx, nowhere, "PTX is emitted: '%s' is NULL",
                       module == NULL   ? "module"
                       : target == NULL ? "target"
                                        : "out");
  if (echo_op_context(module) != ctx)
    return echo_misuse(ctx, nowhere, "PTX is emitted: 'module' is of another context");
  if (kind > ECHO_GPU_LLVM_UNOPTIMIZED)
    return echo_misuse(ctx, nowhere, "PTX is emitted: 'kind' is %d, none", (int)kind);
  const EchoTargetInfo *info = echo_target_load_or_null(ctx, module->loc, echo_str(target));
  if (info == NULL)
    return false;
  if (!info->is_gpu)
    return echo_op_error(module, "is to become PTX, and '%s' is no GPU", target);
  bool found = false, fine = true;
  for (const EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "gpu.module")) {
      found = true;
      fine &= emit_gpu_module(ctx, op, info, kind, out);
    }
  if (!found)
    return echo_op_error(module, "holds no gpu.module: lower its kernels for a GPU first");
  return fine;
}

bool echo_codegen_ptx(EchoContext *ctx, EchoOp *module, const char *target, EchoBuffer *out)
{
  return echo_codegen_gpu(ctx, module, target, ECHO_GPU_PTX, out);
}
