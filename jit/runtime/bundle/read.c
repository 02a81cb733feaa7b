/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <inttypes.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/version.h"
#include "dialects/dialects.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "jit/runtime/bundle/bundle.h"
#include "jit/runtime/bundle/format_t.h"
#include "jit/runtime/bundle/native_t.h"

void echo_bundle_register_dialects(EchoContext *ctx)
{
  if (ctx == NULL)
    return;
  static const EchoDialect *const DIALECTS[] = {&ECHO_BUILTIN_DIALECT, &ECHO_FUNC_DIALECT,
                                                &ECHO_ECHO_DIALECT, &ECHO_KERNEL_DIALECT,
                                                &ECHO_PLAN_DIALECT};
  for (size_t i = 0; i < sizeof DIALECTS / sizeof DIALECTS[0]; i++)
    echo_context_register_dialect(ctx, DIALECTS[i]);
}

void echo_bundle_checksum(const char *bytes, size_t size, uint64_t checksum[2])
{
  size_t before = offsetof(EchoBundleHeader, checksum);
  size_t behind = offsetof(EchoBundleHeader, plan_at);
  for (uint64_t i = 0; i < 2; i++)
    checksum[i] =
        echo_hash_bytes(bytes + behind, size - behind, echo_hash_bytes(bytes, before, i + 1));
}

/* ---- the file ---- */

static bool refuse(EchoContext *ctx, const char *path, const char *why)
{
  return echo_error(ctx, echo_loc_unknown(), "'%s' %s", path, why);
}

static bool is_inside(uint64_t at, uint64_t bytes, uint64_t size)
{
  return at >= sizeof(EchoBundleHeader) && at <= size && bytes <= size - at;
}

static bool check_header(EchoContext *ctx, const char *path, EchoStr file, EchoBundleHeader *header)
{
  size_t magic_bytes = sizeof header->magic;
  size_t n_compared = file.size < magic_bytes ? file.size : magic_bytes;
  if (file.size == 0 || memcmp(file.data, ECHO_BUNDLE_MAGIC, n_compared) != 0)
    return refuse(ctx, path, "is no bundle");
  if (file.size < sizeof *header)
    return refuse(ctx, path, "is cut: it ends in its header");
  memcpy(header, file.data, sizeof *header);
  if (header->format != ECHO_BUNDLE_FORMAT)
    return echo_error(ctx, echo_loc_unknown(),
                      "'%s' is a bundle of format %" PRIu32 ", and format %d is read here", path,
                      header->format, ECHO_BUNDLE_FORMAT);
  if (header->version != ECHO_VERSION)
    return echo_error(ctx, echo_loc_unknown(),
                      "'%s' is a bundle of Echo %" PRIu32 ".%" PRIu32 ".%" PRIu32
                      ", and this is Echo " ECHO_VERSION_TEXT,
                      path, header->version / 10000, header->version / 100 % 100,
                      header->version % 100);
  if (header->file_bytes > file.size)
    return echo_error(ctx, echo_loc_unknown(), "'%s' is cut: it has %zu of %" PRIu64 " bytes", path,
                      file.size, header->file_bytes);
  if (header->file_bytes < file.size)
    return echo_error(ctx, echo_loc_unknown(),
                      "'%s' is corrupt: it has %zu bytes instead of %" PRIu64, path, file.size,
                      header->file_bytes);
  uint64_t checksum[2];
  echo_bundle_checksum(file.data, file.size, checksum);
  if (memcmp(checksum, header->checksum, sizeof checksum) != 0)
    return refuse(ctx, path, "is corrupt: its checksum is another one");
  return (is_inside(header->plan_at, header->plan_bytes + 1, file.size) &&
          is_inside(header->code_at, header->code_bytes, file.size)) ||
         refuse(ctx, path, "is corrupt: its parts lie outside of it");
}

static bool read_plan(EchoContext *ctx, const char *path, EchoStr file,
                      const EchoBundleHeader *header, EchoBundle *bundle)
{
  EchoArena *arena = echo_context_arena(ctx);
  size_t size = (size_t)header->plan_bytes;
  EchoStr text = {echo_arena_copy_string(arena, file.data + header->plan_at, size), size};
  bool allowed = echo_context_allows_unregistered(ctx);
  echo_context_allow_unregistered(ctx, true);
  bundle->module = echo_parse_text_or_null(ctx, echo_str(path), text);
  bool ok = bundle->module != NULL && echo_verify(bundle->module);
  echo_context_allow_unregistered(ctx, allowed);
  if (!ok)
    return false;
  bundle->target = echo_op_attr_string(bundle->module, ECHO_BUNDLE_TARGET);
  return bundle->target.size != 0 || refuse(ctx, path, "is corrupt: it names no target");
}

static bool read_bytes(EchoContext *ctx, const char *path, EchoStr bytes, EchoBundle *bundle)
{
  EchoBundleHeader header;
  bool ok = check_header(ctx, path, bytes, &header) && read_plan(ctx, path, bytes, &header, bundle);
  if (ok)
    bundle->code = (EchoStr){bytes.data + header.code_at, (size_t)header.code_bytes};
  else
    echo_bundle_close(bundle);
  return ok;
}

bool echo_bundle_open(EchoContext *ctx, const char *path, EchoBundle *bundle)
{
  if (ctx == NULL || path == NULL || bundle == NULL)
    return ctx != NULL && echo_error(ctx, echo_loc_unknown(), "a bundle is opened: '%s' is NULL",
                                     path == NULL ? "path" : "bundle");
  EchoBuffer error = {0};
  *bundle = (EchoBundle){0};
  if (!echo_file_read(path, &bundle->file, &error)) {
    echo_error(ctx, echo_loc_unknown(), "%s", echo_buffer_c_str(&error));
    echo_buffer_destroy(&error);
    *bundle = (EchoBundle){0};
    echo_context_flush_diagnostics(ctx);
    return false;
  }
  bool ok = read_bytes(ctx, path, (EchoStr){bundle->file.data, bundle->file.size}, bundle);
  echo_context_flush_diagnostics(ctx);
  return ok;
}

bool echo_bundle_read(EchoContext *ctx, const char *name, EchoStr bytes, EchoBundle *bundle)
{
  if (ctx == NULL || name == NULL || bundle == NULL || (bytes.data == NULL && bytes.size != 0))
    return ctx != NULL && echo_error(ctx, echo_loc_unknown(), "a bundle is read: '%s' is NULL",
                                     name == NULL     ? "name"
                                     : bundle == NULL ? "bundle"
                                                      : "bytes");
  *bundle = (EchoBundle){0};
  bool ok = read_bytes(ctx, name, bytes, bundle);
  echo_context_flush_diagnostics(ctx);
  return ok;
}

void echo_bundle_close(EchoBundle *bundle)
{
  if (bundle == NULL)
    return;
  if (bundle->file.data != NULL)
    echo_file_close(&bundle->file);
  *bundle = (EchoBundle){0};
}

/* ---- its kernels ---- */

enum { NUMBERS_A_HOST_PHASE = 3, NUMBERS_A_GPU_PHASE = 3 };

static bool is_kind(const EchoAttr *attr, EchoAttrKind kind)
{
  return attr != NULL && attr->kind == kind;
}

static bool read_host_phase(const EchoImage *image, const EchoAttr *numbers, size_t i,
                            EchoImagePhase *phase)
{
  int64_t where = echo_attr_ints_get(numbers, NUMBERS_A_HOST_PHASE * i);
  *phase = (EchoImagePhase){.fn = echo_native_function_or_null(image->code, where),
                            .n_tasks = echo_attr_ints_get(numbers, NUMBERS_A_HOST_PHASE * i + 1),
                            .grain = echo_attr_ints_get(numbers, NUMBERS_A_HOST_PHASE * i + 2)};
  return phase->fn != NULL && phase->n_tasks >= 0 && phase->grain >= 1;
}

static bool read_gpu_phase(const EchoAttr *entries, const EchoAttr *numbers, size_t i,
                           EchoImagePhase *phase)
{
  if (!is_kind(entries, ECHO_ATTR_ARRAY) || i >= entries->as.array.size ||
      entries->as.array.elements[i]->kind != ECHO_ATTR_STRING)
    return false;
  int64_t grid = echo_attr_ints_get(numbers, NUMBERS_A_GPU_PHASE * i);
  int64_t block = echo_attr_ints_get(numbers, NUMBERS_A_GPU_PHASE * i + 1);
  int64_t shared_bytes = echo_attr_ints_get(numbers, NUMBERS_A_GPU_PHASE * i + 2);
  *phase = (EchoImagePhase){.entry = entries->as.array.elements[i]->as.string,
                            .grid = (unsigned)grid,
                            .block = (unsigned)block,
                            .shared_bytes = (unsigned)shared_bytes};
  return grid >= 0 && grid <= INT32_MAX && block >= 0 && block <= INT32_MAX && shared_bytes >= 0 &&
         shared_bytes <= INT32_MAX;
}

/* Where the kernel has one; false where what stands there is none. */
static bool read_product(const EchoAttr *attr, EchoImage *image, const EchoProduct **product)
{
  EchoProduct found;
  *product = NULL;
  if (attr == NULL)
    return true;
  if (!echo_kernel_product_read(attr, &found))
    return false;
  *product = echo_arena_copy(&image->memory, &found, sizeof found);
  return true;
}

static bool read_kernel(const EchoAttr *attr, EchoImage *image)
{
  if (!is_kind(attr, ECHO_ATTR_DICTIONARY))
    return false;
  const EchoAttr *name = echo_dictionary_get_or_null(attr, "name");
  const EchoAttr *numbers = echo_dictionary_get_or_null(attr, "phases");
  const EchoAttr *entries = echo_dictionary_get_or_null(attr, "entries");
  size_t step = image->code != NULL ? NUMBERS_A_HOST_PHASE : NUMBERS_A_GPU_PHASE;
  if (!is_kind(name, ECHO_ATTR_STRING) || !is_kind(numbers, ECHO_ATTR_DENSE_ARRAY) ||
      echo_attr_ints_size(numbers) % step != 0)
    return false;
  size_t n = echo_attr_ints_size(numbers) / step;
  EchoImagePhase *phases = ECHO_ARENA_ARRAY(&image->memory, EchoImagePhase, n + 1);
  const EchoProduct *product;
  bool ok = read_product(echo_dictionary_get_or_null(attr, "product"), image, &product);
  for (size_t i = 0; i < n && ok; i++)
    ok = image->code != NULL ? read_host_phase(image, numbers, i, &phases[i])
                             : read_gpu_phase(entries, numbers, i, &phases[i]);
  echo_vector_push(&image->kernels, (EchoImageKernel){.name = name->as.string,
                                                      .phases = phases,
                                                      .n_phases = n,
                                                      .product = product});
  return ok;
}

static bool read_kernels(EchoImage *image)
{
  const EchoAttr *kernels = echo_op_attr_or_null(image->module, ECHO_BUNDLE_KERNELS);
  bool ok = is_kind(kernels, ECHO_ATTR_ARRAY);
  for (size_t i = 0; ok && i < kernels->as.array.size; i++)
    ok = read_kernel(kernels->as.array.elements[i], image);
  return ok || echo_op_error(image->module, "has a list of kernels that is none");
}

/* ---- where it runs ---- */

/* All that the code needs and this processor lacks. */
static bool check_processor(const EchoOp *module)
{
  const EchoAttr *needed = echo_op_attr_or_null(module, ECHO_BUNDLE_PROCESSOR);
  if (!is_kind(needed, ECHO_ATTR_ARRAY))
    return echo_op_error(module, "does not say which processor it is for");
  EchoBuffer missing = {0};
  size_t n = needed->as.array.size;
  for (size_t i = 0; i < n; i++) {
    const EchoAttr *name = needed->as.array.elements[i];
    bool has = false;
    for (size_t k = 0; k < echo_processor_n_features() && name->kind == ECHO_ATTR_STRING; k++)
      has |=
          echo_str_is(name->as.string, echo_processor_feature(k)) && echo_processor_has_feature(k);
    if (!has)
      echo_buffer_printf(&missing, "%s%s", missing.size != 0 ? ", " : "",
                         echo_attr_text(echo_op_context(module), name));
  }
  bool ok = missing.size == 0;
  if (!ok)
    echo_op_error(module, "was compiled for another processor: this one lacks %s",
                  echo_buffer_c_str(&missing));
  echo_buffer_destroy(&missing);
  return ok;
}

/* "sm_80" -> 80; 0 of what is none. */
static long architecture(EchoStr target)
{
  return echo_str_starts_with(target, "sm_") ? strtol(target.data + 3, NULL, 10) : 0;
}

/* A GPU runs what was compiled for an older one. */
static bool check_device(const EchoBundle *bundle, const EchoDevice *device)
{
  EchoStr own = echo_str(echo_device_target(device));
  long of_bundle = architecture(bundle->target), of_device = architecture(own);
  if (echo_str_equal(own, bundle->target) || (of_bundle != 0 && of_device > of_bundle))
    return true;
  return echo_op_error(bundle->module, "was compiled for '%.*s', and the device is '%.*s'",
                       ECHO_STR_ARG(bundle->target), ECHO_STR_ARG(own));
}

EchoExecutable *echo_bundle_load_or_null(EchoContext *ctx, EchoDevice *device,
                                         const EchoBundle *bundle)
{
  if (ctx == NULL)
    return NULL;
  if (device == NULL || bundle == NULL || bundle->module == NULL) {
    echo_error(ctx, echo_loc_unknown(), "a bundle is loaded: '%s' is NULL",
               device == NULL ? "device" : "bundle");
    echo_context_flush_diagnostics(ctx);
    return NULL;
  }
  EchoImage image = {.module = bundle->module};
  bool ok = check_device(bundle, device);
  if (ok && echo_str_is(bundle->target, "cpu")) {
    const EchoAttr *cells = echo_op_attr_or_null(bundle->module, ECHO_BUNDLE_CELLS);
    ok = check_processor(bundle->module) &&
         (cells == NULL || cells->kind == ECHO_ATTR_DENSE_ARRAY ||
          echo_op_error(bundle->module, "has a list of cells that is none"));
    image.code = ok ? echo_native_create_or_null(ctx, bundle->code, cells) : NULL;
    image.release = echo_native_destroy;
    ok = image.code != NULL;
  } else if (ok) {
    echo_buffer_append_str(&image.ptx, bundle->code);
  }
  ok = ok && read_kernels(&image);
  EchoExecutable *executable = ok ? echo_executable_load_or_null(ctx, device, &image) : NULL;
  echo_image_destroy(&image);
  echo_context_flush_diagnostics(ctx);
  return executable;
}
