/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The compile of all kernels of a module: translation and object code on the pool's threads, once
 * for kernels that are the same to LLVM, errors merged in the module's order. */
#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <pthread.h>

#include "base/file.h"
#include "codegen/kernel_t.h"
#include "codegen/target_t.h"
#include "dialects/interfaces/denormals.h"
#include "ir/text/text.h"

static const char CACHE_MAGIC[8] = "EchoObj1";

const char *echo_codegen_version(void)
{
  return ECHO_CODEGEN_SOURCES;
}

typedef struct CacheKey {
  uint64_t low, high;
} CacheKey;

typedef struct KernelJob {
  const EchoOp *func;
  const EchoKernelPhase *phases;
  size_t n_phases;
  CacheKey key; /* of its code */
  EchoBuffer object;
  bool from_cache, failed;
  struct KernelJob *maker; /* of the object: the job that took this code on, maybe itself */
  size_t first;            /* of a maker: the first job that has its code */
  EchoEmitError error;
} KernelJob;

typedef struct Compile {
  const EchoCodegenOptions *options;
  EchoTarget target;
  EchoEmitTable table;
  KernelJob *jobs;
  size_t n_jobs;
  LLVMTargetMachineRef *machines; /* a thread's, NULL until it compiles */
  unsigned n_machines;
  bool flushes_denormals;
  pthread_mutex_t lock; /* of `taken` */
  EchoMap taken;        /* from half a key to the job that has taken such code on */
} Compile;

/* Making one reads what the processor has feature by feature, which takes as long as a tiny kernel:
 * a thread makes one for all of its kernels. */
static LLVMTargetMachineRef machine_or_null(const Compile *compile, unsigned thread,
                                            EchoBuffer *error)
{
  LLVMTargetMachineRef *machine = &compile->machines[thread];
  if (*machine == NULL)
    *machine = echo_target_machine_or_null(&compile->target, error);
  return *machine;
}

/* ---- diagnostics of LLVM ---- */

static void on_llvm_diagnostic(LLVMDiagnosticInfoRef info, void *user)
{
  EchoEmitError *error = user;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || error->message.size != 0)
    return;
  char *text = LLVMGetDiagInfoDescription(info);
  echo_buffer_append_c(&error->message, text);
  LLVMDisposeMessage(text);
}

static bool set_error(KernelJob *job, const char *text)
{
  if (job->error.message.size == 0)
    echo_buffer_append_c(&job->error.message, text);
  return false;
}

/* ---- cache ---- */

/* All that an object depends on: what LLVM is given, in which neither the kernel's name nor how its
 * memory is cut into dimensions shows, and what LLVM is told to do with it. As bitcode, which takes
 * a third of the time that the text takes. */
static void make_key(const Compile *compile, KernelJob *job, LLVMModuleRef module)
{
  EchoBuffer text = {0};
  LLVMMemoryBufferRef llvm = LLVMWriteBitcodeToMemoryBuffer(module);
  echo_buffer_append(&text, LLVMGetBufferStart(llvm), LLVMGetBufferSize(llvm));
  LLVMDisposeMemoryBuffer(llvm);
  const char *const parts[] = {compile->target.cpu, compile->target.features,
                               echo_codegen_version(), echo_target_pipeline()};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i)
    echo_buffer_append(&text, parts[i], strlen(parts[i]) + 1);
  echo_buffer_append_c(&text, compile->flushes_denormals ? "flush" : "keep");
  job->key.low = echo_hash_bytes(text.data, text.size, 1);
  job->key.high = echo_hash_bytes(text.data, text.size, 2);
  echo_buffer_destroy(&text);
}

/* True for one of the jobs that have this code, whichever asks first: it makes the object, which is
 * the same from any. */
static bool take_on(Compile *compile, KernelJob *job)
{
  pthread_mutex_lock(&compile->lock);
  KernelJob *other = (KernelJob *)(uintptr_t)echo_map_get_or(&compile->taken, job->key.low, 0);
  if (other == NULL)
    echo_map_set(&compile->taken, job->key.low, echo_key(job));
  else if (other->key.high == job->key.high)
    job->maker = other;
  pthread_mutex_unlock(&compile->lock);
  return job->maker == job;
}

static void cache_path(const Compile *compile, const KernelJob *job, EchoBuffer *path)
{
  echo_buffer_printf(path, "%s/%016llx%016llx.o", compile->options->cache_dir,
                     (unsigned long long)job->key.high, (unsigned long long)job->key.low);
}

/* The file is magic, the object's hash, the object: what a crash left half written is not taken. */
static bool read_cached(const Compile *compile, KernelJob *job)
{
  EchoBuffer path = {0}, error = {0};
  EchoFile file;
  cache_path(compile, job, &path);
  bool found = echo_file_read(path.data, &file, &error);
  if (found) {
    uint64_t hash = 0;
    size_t header = sizeof CACHE_MAGIC + sizeof hash;
    found = file.size > header && memcmp(file.data, CACHE_MAGIC, sizeof CACHE_MAGIC) == 0;
    if (found) {
      memcpy(&hash, file.data + sizeof CACHE_MAGIC, sizeof hash);
      found = hash == echo_hash_bytes(file.data + header, file.size - header, 0);
    }
    if (found)
      echo_buffer_append(&job->object, file.data + header, file.size - header);
    echo_file_close(&file);
  }
  echo_buffer_destroy(&path);
  echo_buffer_destroy(&error);
  job->from_cache = found;
  return found;
}

/* A cache that cannot be written costs time, nothing else. */
static void write_cached(const Compile *compile, const KernelJob *job)
{
  EchoBuffer path = {0}, error = {0}, content = {0};
  cache_path(compile, job, &path);
  uint64_t hash = echo_hash_bytes(job->object.data, job->object.size, 0);
  echo_buffer_append(&content, CACHE_MAGIC, sizeof CACHE_MAGIC);
  echo_buffer_append(&content, &hash, sizeof hash);
  echo_buffer_append_str(&content, echo_buffer_str(&job->object));
  echo_file_write(path.data, content.data, content.size, &error);
  echo_buffer_destroy(&path);
  echo_buffer_destroy(&error);
  echo_buffer_destroy(&content);
}

/* ---- one kernel ---- */

static bool verify_module(KernelJob *job, LLVMModuleRef module)
{
  char *message = NULL;
  bool broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
  if (broken)
    set_error(job, message);
  LLVMDisposeMessage(message);
  return !broken;
}

static bool emit_object(KernelJob *job, LLVMModuleRef module, LLVMTargetMachineRef machine,
                        LLVMCodeGenFileType type)
{
  LLVMMemoryBufferRef buffer = NULL;
  char *message = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, type, &message, &buffer)) {
    set_error(job, message);
    LLVMDisposeMessage(message);
    return false;
  }
  echo_buffer_append(&job->object, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
  LLVMDisposeMemoryBuffer(buffer);
  return job->error.message.size == 0;
}

/* Functions [0, n) of `jobs` in one module of `llvm`, or NULL after an error in one of them. Names
 * of values cost time, and stand in text only. */
static LLVMModuleRef translate_or_null(const Compile *compile, LLVMContextRef llvm, KernelJob *jobs,
                                       size_t n, LLVMTargetMachineRef machine, bool has_names)
{
  const EchoOp **funcs = echo_alloc_array(n, sizeof *funcs);
  for (size_t i = 0; i < n; ++i)
    funcs[i] = jobs[i].func;
  LLVMModuleRef module = echo_kernel_module(llvm, funcs, n, &jobs[0].error.message);
  echo_free(funcs);
  if (module == NULL)
    return NULL;
  LLVMContextSetDiscardValueNames(llvm, !has_names);
  LLVMSetTarget(module, compile->target.triple);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(module, layout);
  LLVMDisposeTargetData(layout);
  EchoKernelTarget target = {.flushes_denormals = compile->flushes_denormals,
                             .n_vector_registers = compile->target.n_vector_registers,
                             .vector_register_bytes = compile->target.vector_register_bytes};
  bool fine = true;
  for (size_t i = 0; i < n && fine; ++i)
    fine = echo_kernel_translate(&compile->table, module, jobs[i].func, jobs[i].phases,
                                 jobs[i].n_phases, &target, &jobs[i].error);
  if (fine && verify_module(&jobs[0], module))
    return module;
  LLVMDisposeModule(module);
  return NULL;
}

/* `module` as `output`, appended to the job's object. */
static bool finish(const Compile *compile, KernelJob *job, LLVMModuleRef module,
                   LLVMTargetMachineRef machine, EchoCodegenOutput output)
{
  if (output != ECHO_CODEGEN_LLVM_UNOPTIMIZED &&
      !echo_target_optimize(module, machine, &job->error.message))
    return false;
  if (output != ECHO_CODEGEN_LLVM_UNOPTIMIZED) {
    echo_target_keep_selections(module, compile->flushes_denormals);
    echo_target_widen_halves(module);
    echo_target_hide_indices(module);
  }
  if (output == ECHO_CODEGEN_ASSEMBLY || output == ECHO_CODEGEN_OBJECT)
    return emit_object(job, module, machine,
                       output == ECHO_CODEGEN_ASSEMBLY ? LLVMAssemblyFile : LLVMObjectFile);
  char *text = LLVMPrintModuleToString(module);
  echo_buffer_append_c(&job->object, text);
  LLVMDisposeMessage(text);
  return true;
}

/* Functions [0, n) of `jobs` as `output`; it goes to the first job's object. */
static bool compile_module(const Compile *compile, KernelJob *jobs, size_t n,
                           EchoCodegenOutput output)
{
  LLVMTargetMachineRef machine = machine_or_null(compile, 0, &jobs[0].error.message);
  if (machine == NULL)
    return false;
  LLVMContextRef llvm = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(llvm, on_llvm_diagnostic, &jobs[0].error);
  LLVMModuleRef module = translate_or_null(compile, llvm, jobs, n, machine, true);
  bool fine = module != NULL && finish(compile, jobs, module, machine, output);
  if (module != NULL)
    LLVMDisposeModule(module);
  LLVMContextDispose(llvm);
  return fine;
}

/* ---- one kernel, whose code others may have too ---- */

/* The functions' names are told by their key, so that equal code is equal to the byte. */
static void append_symbol(EchoBuffer *out, const KernelJob *job, size_t phase)
{
  echo_buffer_printf(out, "k%016llx%016llx.%zu", (unsigned long long)job->key.high,
                     (unsigned long long)job->key.low, phase);
}

/* From the kernel's names to those of its key, which is found in between. */
static void name_by_key(const Compile *compile, KernelJob *job, LLVMModuleRef module)
{
  LLVMValueRef *functions = echo_alloc_array(job->n_phases + 1, sizeof *functions);
  for (size_t i = 0; i < job->n_phases; ++i)
    functions[i] = LLVMGetNamedFunction(module, job->phases[i].symbol.data);
  for (size_t i = 0; i < job->n_phases; ++i)
    LLVMSetValueName2(functions[i], "", 0);
  make_key(compile, job, module);
  EchoBuffer symbol = {0};
  for (size_t i = 0; i < job->n_phases; ++i) {
    echo_buffer_clear(&symbol);
    append_symbol(&symbol, job, i);
    LLVMSetValueName2(functions[i], symbol.data, symbol.size);
  }
  echo_buffer_destroy(&symbol);
  echo_free(functions);
}

static bool compile_kernel(Compile *compile, KernelJob *job, LLVMContextRef llvm,
                           LLVMTargetMachineRef machine)
{
  LLVMModuleRef module = translate_or_null(compile, llvm, job, 1, machine, false);
  if (module == NULL)
    return false;
  name_by_key(compile, job, module);
  bool has_cache = compile->options->cache_dir != NULL, fine = true;
  if (take_on(compile, job) && !(has_cache && read_cached(compile, job))) {
    fine = finish(compile, job, module, machine, ECHO_CODEGEN_OBJECT);
    if (fine && has_cache)
      write_cached(compile, job);
  }
  LLVMDisposeModule(module);
  return fine;
}

static void run_job(Compile *compile, KernelJob *job, unsigned thread)
{
  LLVMTargetMachineRef machine = machine_or_null(compile, thread, &job->error.message);
  if (machine == NULL) {
    job->failed = true;
    return;
  }
  LLVMContextRef llvm = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(llvm, on_llvm_diagnostic, &job->error);
  job->failed = !compile_kernel(compile, job, llvm, machine);
  LLVMContextDispose(llvm);
}

static void run_jobs(void *user, int64_t begin, int64_t end, unsigned thread)
{
  Compile *compile = user;
  for (int64_t i = begin; i < end; ++i)
    if (!compile->jobs[i].failed)
      run_job(compile, &compile->jobs[i], thread);
}

/* ---- all of them ---- */

static bool is_kernel(const EchoOp *op)
{
  return echo_op_is(op, "func.func") && echo_op_has_attr(op, "kernel.kind");
}

static void begin(Compile *compile, EchoContext *ctx, EchoArena *arena, EchoOp *module,
                  const EchoCodegenOptions *options)
{
  *compile = (Compile){.options = options, .flushes_denormals = echo_op_flushes_denormals(module)};
  echo_target_create_host(&compile->target, options);
  echo_emit_table_create(&compile->table, ctx);
  pthread_mutex_init(&compile->lock, NULL);
  compile->n_machines = options->pool != NULL ? echo_thread_pool_size(options->pool) : 1;
  compile->machines = ECHO_ARENA_ARRAY(arena, LLVMTargetMachineRef, compile->n_machines);
  memset(compile->machines, 0, compile->n_machines * sizeof *compile->machines);
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next)
    compile->n_jobs += is_kernel(op);
  compile->jobs = ECHO_ARENA_ARRAY(arena, KernelJob, compile->n_jobs + 1);
  size_t i = 0;
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next) {
    if (!is_kernel(op))
      continue;
    KernelJob *job = &compile->jobs[i++];
    *job = (KernelJob){.func = op, .maker = job, .first = SIZE_MAX};
    job->failed = !echo_kernel_phases(arena, op, &job->phases, &job->n_phases, &job->error);
  }
}

/* Reports the jobs' errors in order; true when there were none. */
static bool end(Compile *compile, EchoContext *ctx)
{
  bool fine = true;
  for (size_t i = 0; i < compile->n_jobs; ++i) {
    KernelJob *job = &compile->jobs[i];
    if (job->failed) {
      fine = false;
      const EchoOp *op = job->error.op != NULL ? job->error.op : job->func;
      echo_op_error(op, "%s", echo_buffer_c_str(&job->error.message));
    }
    echo_buffer_destroy(&job->error.message);
    echo_buffer_destroy(&job->object);
  }
  for (unsigned thread = 0; thread < compile->n_machines; ++thread)
    if (compile->machines[thread] != NULL)
      LLVMDisposeTargetMachine(compile->machines[thread]);
  echo_map_destroy(&compile->taken);
  pthread_mutex_destroy(&compile->lock);
  echo_emit_table_destroy(&compile->table);
  echo_target_destroy(&compile->target);
  (void)ctx;
  return fine;
}

static const EchoCodegenOptions DEFAULTS = {0};

void echo_codegen_processor(const EchoCodegenOptions *options, EchoBuffer *cpu,
                            EchoBuffer *features)
{
  EchoTarget target;
  echo_target_create_host(&target, options != NULL ? options : &DEFAULTS);
  if (cpu != NULL)
    echo_buffer_append_c(cpu, target.cpu);
  if (features != NULL)
    echo_buffer_append_c(features, target.features);
  echo_target_destroy(&target);
}

/* What is translated, and where that goes, the argument `name`. */
static bool check_given(EchoContext *ctx, const EchoOp *module, const char *name, const void *out)
{
  EchoLoc nowhere = echo_loc_unknown();
  if (ctx == NULL)
    return false; /* nobody to tell */
  if (module == NULL || out == NULL)
    return echo_misuse(ctx, nowhere, "kernels are compiled: '%s' is NULL",
                       module == NULL ? "module" : name);
  if (echo_op_context(module) != ctx)
    return echo_misuse(ctx, nowhere, "kernels are compiled: 'module' is of another context");
  return echo_op_is(module, "builtin.module") ||
         echo_misuse(ctx, module->loc, "kernels are compiled: 'module' is none");
}

/* The job's phases under the names that they have in the object. */
static const EchoKernelPhase *named_phases(EchoArena *arena, const KernelJob *job)
{
  EchoKernelPhase *phases = ECHO_ARENA_ARRAY(arena, EchoKernelPhase, job->n_phases + 1);
  EchoBuffer symbol = {0};
  for (size_t i = 0; i < job->n_phases; ++i) {
    echo_buffer_clear(&symbol);
    append_symbol(&symbol, job, i);
    phases[i] = job->phases[i];
    phases[i].symbol =
        (EchoStr){echo_arena_copy_string(arena, symbol.data, symbol.size), symbol.size};
  }
  echo_buffer_destroy(&symbol);
  return phases;
}

/* What the jobs made; the first in order brings an object that several have. */
static void list_kernels(Compile *compile, EchoArena *arena, EchoCompiledModule *compiled)
{
  *compiled = (EchoCompiledModule){.arena = arena, .n_kernels = compile->n_jobs};
  compiled->kernels = ECHO_ARENA_ARRAY(arena, EchoCompiledKernel, compile->n_jobs + 1);
  for (size_t i = 0; i < compile->n_jobs; ++i) {
    KernelJob *job = &compile->jobs[i], *maker = job->maker;
    if (job != maker && maker->failed) {
      job->failed = true;
      echo_buffer_append_str(&job->error.message, echo_buffer_str(&maker->error.message));
    }
    maker->first = maker->first < i ? maker->first : i;
    const char *object =
        maker->first < i
            ? compiled->kernels[maker->first].object.data
            : echo_arena_copy_string(arena, echo_buffer_c_str(&maker->object), maker->object.size);
    compiled->kernels[i] = (EchoCompiledKernel){.func = job->func,
                                                .name = echo_op_attr_string(job->func, "sym_name"),
                                                .phases = named_phases(arena, job),
                                                .n_phases = job->n_phases,
                                                .object = {object, maker->object.size},
                                                .first = maker->first,
                                                .from_cache = maker->from_cache};
    compiled->n_cache_hits += maker->from_cache;
  }
}

bool echo_codegen_compile(EchoContext *ctx, EchoOp *module, const EchoCodegenOptions *options,
                          EchoCompiledModule *compiled)
{
  if (!check_given(ctx, module, "compiled", compiled))
    return false;
  if (options == NULL)
    options = &DEFAULTS;
  EchoArena *arena = echo_alloc_zero(1, sizeof *arena);
  Compile compile;
  begin(&compile, ctx, arena, module, options);
  if (options->cache_dir != NULL) {
    EchoBuffer error = {0};
    echo_directory_create(options->cache_dir, &error);
    echo_buffer_destroy(&error);
  }
  if (options->pool != NULL)
    echo_thread_pool_run(options->pool, (int64_t)compile.n_jobs, 1, run_jobs, &compile);
  else
    run_jobs(&compile, 0, (int64_t)compile.n_jobs, 0);
  list_kernels(&compile, arena, compiled);
  if (end(&compile, ctx))
    return true;
  echo_compiled_module_destroy(compiled);
  return false;
}

void echo_compiled_module_destroy(EchoCompiledModule *compiled)
{
  if (compiled == NULL)
    return;
  if (compiled->arena != NULL) {
    echo_arena_destroy(compiled->arena);
    echo_free(compiled->arena);
  }
  *compiled = (EchoCompiledModule){0};
}

bool echo_codegen_translate(EchoContext *ctx, EchoOp *module, const EchoCodegenOptions *options,
                            EchoCodegenOutput output, EchoBuffer *out)
{
  if (!check_given(ctx, module, "out", out))
    return false;
  if ((unsigned)output > ECHO_CODEGEN_OBJECT)
    return echo_misuse(ctx, module->loc, "kernels are compiled: 'output' is %d, none", (int)output);
  if (options == NULL)
    options = &DEFAULTS;
  EchoArena arena = {0};
  Compile compile;
  begin(&compile, ctx, &arena, module, options);
  bool phases_fine = true;
  for (size_t i = 0; i < compile.n_jobs; ++i)
    phases_fine &= !compile.jobs[i].failed;
  if (phases_fine && compile.n_jobs != 0)
    compile.jobs[0].failed = !compile_module(&compile, compile.jobs, compile.n_jobs, output);
  if (phases_fine && compile.n_jobs != 0 && !compile.jobs[0].failed)
    echo_buffer_append_str(out, echo_buffer_str(&compile.jobs[0].object));
  for (size_t i = 1; i < compile.n_jobs; ++i) /* the error may be a later function's */
    compile.jobs[i].failed |= compile.jobs[i].error.message.size != 0;
  if (compile.n_jobs != 0 && compile.jobs[0].error.message.size == 0)
    compile.jobs[0].failed = false;
  bool fine = end(&compile, ctx);
  echo_arena_destroy(&arena);
  return fine;
}
