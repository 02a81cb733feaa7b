/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/bundle.h"

#include "base/version.h"
#include "codegen/link.h"
#include "dialects/kernel/call_target.h"
#include "ir/symbol.h"
#include "ir/text/text.h"
#include "jit/image_t.h"
#include "jit/runtime/bundle/format_t.h"

/* ---- the plan ---- */

/* Functions that a process brings are not in the file. */
static bool check_calls(EchoOp *module)
{
  bool ok = true;
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "kernel.library") &&
        echo_str_is(echo_op_attr_string(op, "library"), ECHO_LIBRARY_TARGET)) {
      EchoStr symbol = echo_op_attr_string(op, "symbol");
      ok = echo_op_error(op, "cannot stand in a bundle: it calls '%.*s', a function of the process",
                         ECHO_STR_ARG(symbol));
    }
  return ok;
}

/* main and the library calls: what the runtime reads, without the kernels' bodies. */
static EchoOp *create_plan(EchoContext *ctx, EchoOp *module, EchoStr target)
{
  EchoOp *plan = echo_op_clone_without_regions(module, NULL);
  EchoBlock *body = echo_block_create(ctx);
  echo_region_append(&plan->regions[0], body);
  for (EchoOp *op = echo_op_body(module, 0)->first; op != NULL; op = op->next)
    if (echo_op_is(op, "kernel.library") ||
        (echo_op_is(op, "func.func") && echo_str_is(echo_symbol_name(op), "main")))
      echo_block_append(body, echo_op_clone(op, NULL));
  echo_op_set_attr(plan, ECHO_BUNDLE_TARGET, echo_attr_string(ctx, target));
  echo_op_set_attr(plan, ECHO_BUNDLE_COMPILER,
                   echo_attr_string(ctx, echo_str(echo_codegen_version())));
  return plan;
}

/* `entries` and `product` may be NULL. */
static const EchoAttr *kernel_attr(EchoContext *ctx, EchoStr name, const EchoAttr *entries,
                                   const EchoAttr *phases, const EchoProduct *product)
{
  EchoNamedAttr fields[4] = {{ECHO_STR("name"), echo_attr_string(ctx, name)},
                             {ECHO_STR("phases"), phases}};
  size_t n = 2;
  if (entries != NULL)
    fields[n++] = (EchoNamedAttr){ECHO_STR("entries"), entries};
  if (product != NULL)
    fields[n++] = (EchoNamedAttr){ECHO_STR("product"), echo_kernel_product_attr(ctx, product)};
  return echo_attr_dictionary(ctx, fields, n);
}

static void set_array(EchoOp *plan, const char *name, const EchoAttr *const *elements, size_t n)
{
  echo_op_set_attr(plan, name, echo_attr_array(echo_op_context(plan), elements, n));
}

/* ---- a GPU's ---- */

static void set_entries(EchoOp *plan, const EchoImage *image)
{
  EchoContext *ctx = echo_op_context(plan);
  ECHO_VECTOR(const EchoAttr *) kernels = {0};
  ECHO_VECTOR(const EchoAttr *) entries = {0};
  ECHO_VECTOR(int64_t) numbers = {0};
  for (size_t i = 0; i < image->kernels.size; i++) {
    const EchoImageKernel *kernel = &image->kernels.data[i];
    echo_vector_clear(&entries);
    echo_vector_clear(&numbers);
    for (size_t k = 0; k < kernel->n_phases; k++) {
      echo_vector_push(&entries, echo_attr_string(ctx, kernel->phases[k].entry));
      echo_vector_push(&numbers, kernel->phases[k].grid);
      echo_vector_push(&numbers, kernel->phases[k].block);
      echo_vector_push(&numbers, kernel->phases[k].shared_bytes);
    }
    echo_vector_push(&kernels, kernel_attr(ctx, kernel->name,
                                           echo_attr_array(ctx, entries.data, entries.size),
                                           echo_attr_i64_array(ctx, numbers.data, numbers.size),
                                           kernel->product));
  }
  set_array(plan, ECHO_BUNDLE_KERNELS, kernels.data, kernels.size);
  echo_vector_destroy(&kernels);
  echo_vector_destroy(&entries);
  echo_vector_destroy(&numbers);
}

static bool add_ptx(EchoOp *plan, EchoOp *module, const char *target, EchoBuffer *code)
{
  EchoImage image = {0};
  bool ok = echo_image_for_gpu(echo_op_context(plan), module, target, &image);
  if (ok) {
    set_entries(plan, &image);
    echo_buffer_append_str(code, echo_buffer_str(&image.ptx));
  }
  echo_image_destroy(&image);
  return ok;
}

/* ---- the CPU's ---- */

/* "+avx2,-sse4a" has "avx2". */
static bool is_listed(const char *features, const char *name)
{
  size_t size = strlen(name);
  for (const char *at = features; at != NULL && *at != '\0'; at = strchr(at, ',')) {
    at += *at == ',';
    if (at[0] == '+' && strncmp(at + 1, name, size) == 0 &&
        (at[1 + size] == ',' || at[1 + size] == '\0'))
      return true;
  }
  return false;
}

/* x86-64-v3 -> 3; 0 of another processor. */
static int level_of(const char *cpu)
{
  static const char *const LEVELS[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  for (int i = 0; i < 4; i++)
    if (strcmp(cpu, LEVELS[i]) == 0)
      return i + 1;
  return 0;
}

/* The first of "+a,+b" that no runtime could check; NULL where there is none. */
static const char *unknown_feature_or_null(const char *features)
{
  for (const char *at = features; at != NULL && *at != '\0'; at = strchr(at, ',')) {
    at += *at == ',';
    size_t size = strcspn(at, ","), i = 0;
    while (i < echo_processor_n_features() &&
           !echo_str_is((EchoStr){at + 1, size - (size != 0)}, echo_processor_feature(i)))
      i++;
    if (at[0] == '+' && i == echo_processor_n_features())
      return at;
  }
  return NULL;
}

/* What the code needs of a processor, as far as it is not every processor's. */
static bool set_processor(EchoOp *plan, const EchoBundleOptions *options)
{
  EchoContext *ctx = echo_op_context(plan);
  int level = options->cpu != NULL ? level_of(options->cpu) : 0;
  const char *unknown = unknown_feature_or_null(options->features);
  if (options->cpu != NULL && level == 0)
    return echo_op_error(plan,
                         "is for processor '%s': a bundle is for x86-64, x86-64-v2, "
                         "x86-64-v3, x86-64-v4 or, without a name, for one like this",
                         options->cpu);
  if (unknown != NULL)
    return echo_op_error(plan, "is for a processor with '%.*s', which a bundle cannot ask for",
                         (int)strcspn(unknown, ","), unknown);
  EchoBuffer features = {0};
  ECHO_VECTOR(const EchoAttr *) needed = {0};
  const EchoCodegenOptions codegen = {.cpu = options->cpu, .features = options->features};
  echo_codegen_processor(&codegen, NULL, &features);
  for (size_t i = 0; i < echo_processor_n_features(); i++)
    if (echo_processor_feature_level(i) <= level ||
        is_listed(echo_buffer_c_str(&features), echo_processor_feature(i)))
      echo_vector_push(&needed, echo_attr_string(ctx, echo_str(echo_processor_feature(i))));
  set_array(plan, ECHO_BUNDLE_PROCESSOR, needed.data, needed.size);
  echo_vector_destroy(&needed);
  echo_buffer_destroy(&features);
  return true;
}

static void set_functions(EchoOp *plan, const EchoCompiledModule *compiled,
                          const EchoLinkedCode *linked)
{
  EchoContext *ctx = echo_op_context(plan);
  ECHO_VECTOR(const EchoAttr *) kernels = {0};
  ECHO_VECTOR(int64_t) numbers = {0};
  size_t n = 0;
  for (size_t i = 0; i < compiled->n_kernels; i++) {
    const EchoCompiledKernel *kernel = &compiled->kernels[i];
    echo_vector_clear(&numbers);
    for (size_t k = 0; k < kernel->n_phases; k++) {
      echo_vector_push(&numbers, (int64_t)linked->phases.data[n++]);
      echo_vector_push(&numbers, kernel->phases[k].n_tasks);
      echo_vector_push(&numbers, kernel->phases[k].grain);
    }
    echo_vector_push(&kernels,
                     kernel_attr(ctx, kernel->name, NULL,
                                 echo_attr_i64_array(ctx, numbers.data, numbers.size), NULL));
  }
  set_array(plan, ECHO_BUNDLE_KERNELS, kernels.data, kernels.size);
  echo_vector_clear(&numbers);
  for (size_t i = 0; i < linked->cells.size; i++) {
    const EchoCodeCell *cell = &linked->cells.data[i];
    echo_vector_push(&numbers, (int64_t)cell->where);
    echo_vector_push(&numbers, cell->import);
    echo_vector_push(&numbers, (int64_t)cell->offset_of);
  }
  echo_op_set_attr(plan, ECHO_BUNDLE_CELLS, echo_attr_i64_array(ctx, numbers.data, numbers.size));
  echo_vector_destroy(&kernels);
  echo_vector_destroy(&numbers);
}

static bool add_native(EchoOp *plan, EchoOp *module, const EchoBundleOptions *options,
                       EchoBuffer *code)
{
  const EchoCodegenOptions codegen = {.cpu = options->cpu,
                                      .features = options->features,
                                      .cache_dir = options->cache_dir,
                                      .pool = options->pool};
  EchoContext *ctx = echo_op_context(plan);
  EchoCompiledModule compiled;
  EchoLinkedCode linked = {0};
  if (!set_processor(plan, options) || !echo_codegen_compile(ctx, module, &codegen, &compiled))
    return false;
  bool ok = echo_codegen_link(ctx, &compiled, &linked);
  if (ok) {
    set_functions(plan, &compiled, &linked);
    echo_buffer_append_str(code, echo_buffer_str(&linked.bytes));
  }
  echo_linked_code_destroy(&linked);
  echo_compiled_module_destroy(&compiled);
  return ok;
}

/* ---- the file ---- */

static void append_file(const EchoOp *plan, EchoStr code, EchoBuffer *out)
{
  const EchoPrintOptions options = {.generic = true, .debug_info = true};
  EchoBuffer text = {0};
  echo_print_op(plan, &options, &text);
  EchoBundleHeader header = {.format = ECHO_BUNDLE_FORMAT,
                             .version = ECHO_VERSION,
                             .plan_at = sizeof header,
                             .plan_bytes = text.size,
                             .code_bytes = code.size};
  memcpy(header.magic, ECHO_BUNDLE_MAGIC, sizeof header.magic);
  uint64_t plan_end = header.plan_at + header.plan_bytes + 1;
  header.code_at = echo_align_up(plan_end, ECHO_BUNDLE_CODE_ALIGNMENT);
  header.file_bytes = header.code_at + code.size;
  size_t begin = out->size;
  echo_buffer_append(out, &header, sizeof header);
  echo_buffer_append_str(out, echo_buffer_str(&text));
  while (out->size - begin < header.code_at)
    echo_buffer_append_char(out, 0);
  echo_buffer_append_str(out, code);
  echo_bundle_checksum(out->data + begin, out->size - begin, header.checksum);
  memcpy(out->data + begin, &header, sizeof header);
  echo_buffer_destroy(&text);
}

bool echo_bundle_create(EchoContext *ctx, EchoOp *module, const EchoBundleOptions *options,
                        EchoBuffer *out)
{
  static const EchoBundleOptions DEFAULTS = {0};
  if (ctx == NULL)
    return false;
  options = options != NULL ? options : &DEFAULTS;
  bool ok =
      out != NULL || echo_error(ctx, echo_loc_unknown(), "a bundle is created, but 'out' is NULL");
  ok = ok && echo_image_check_module(ctx, module, "a bundle") && check_calls(module);
  if (ok) {
    EchoStr target = options->target != NULL ? echo_str(options->target) : ECHO_STR("cpu");
    EchoOp *plan = create_plan(ctx, module, target);
    EchoBuffer code = {0};
    ok = echo_str_is(target, "cpu") ? add_native(plan, module, options, &code)
                                    : add_ptx(plan, module, options->target, &code);
    if (ok)
      append_file(plan, echo_buffer_str(&code), out);
    echo_buffer_destroy(&code);
    echo_op_erase(plan);
  }
  echo_context_flush_diagnostics(ctx);
  return ok;
}
