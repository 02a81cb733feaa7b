/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Executables as bytes: the program and its options, and its plan and code as a bundle
 * (docs/bundles.md) where one can hold them. The code is used by the build of the plug-in that made
 * it, with the same options; any other compiles the program again. */
#include <elf.h>
#include <link.h>

#include "jit/bundle.h"
#include "jit/runtime/bundle/bundle.h"
#include "pjrt/plugin_t.h"

/* ---- which build this is ---- */

static bool is_within(const struct dl_phdr_info *object, const ElfW(Phdr) * part, uintptr_t address)
{
  uintptr_t begin = object->dlpi_addr + part->p_vaddr;
  return part->p_type == PT_LOAD && address >= begin && address - begin < part->p_memsz;
}

/* The linker's hash of what it linked, among the notes of a part. */
static void read_notes(const char *at, size_t size, EchoBuffer *id)
{
  ElfW(Nhdr) note;
  while (size >= sizeof note) {
    memcpy(&note, at, sizeof note);
    size_t name = echo_align_up(note.n_namesz, 4), all = sizeof note + name;
    all += echo_align_up(note.n_descsz, 4);
    if (all > size)
      return;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        memcmp(at + sizeof note, "GNU", 4) == 0)
      for (size_t i = 0; i < note.n_descsz; i++)
        echo_buffer_printf(id, "%02x", (unsigned char)at[sizeof note + name + i]);
    at += all;
    size -= all;
  }
}

static int read_object(struct dl_phdr_info *object, size_t size, void *user)
{
  (void)size;
  bool is_own = false;
  for (size_t i = 0; i < object->dlpi_phnum; i++)
    is_own |= is_within(object, &object->dlpi_phdr[i], (uintptr_t)&Echo_PJRT_Executable_Serialize);
  for (size_t i = 0; is_own && i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type == PT_NOTE)
      read_notes((const char *)(object->dlpi_addr + part->p_vaddr), part->p_memsz, user);
  }
  return is_own;
}

void echo_pjrt_append_build_id(EchoBuffer *out)
{
  dl_iterate_phdr(read_object, out);
}

void echo_pjrt_append_key(const EchoPjrtOptions *options, EchoBuffer *key)
{
  size_t begin = key->size;
  echo_pjrt_append_build_id(key);
  if (key->size != begin)
    echo_buffer_printf(key, " %s%s", options->is_off ? "off" : echo_buffer_c_str(&options->echo),
                       options->keeps_denormals ? " denormals=keep" : "");
}

/* ---- to bytes ---- */

static const char MAGIC[8] = {'E', 'C', 'H', 'O', 'P', 'J', '0', '2'};
enum { CODE, OPTIONS, KEY, BUNDLE, N_PARTS };

static void delete_executable(PJRT_SerializedExecutable *bytes)
{
  echo_pjrt_bytes_destroy(bytes);
}

/* Kernels that a folder keeps are taken from there, others are compiled once more: their objects
 * are not kept while a program runs. What cannot stand in a bundle is saved without its code. */
static void make_bundle(EchoPjrtProgram *program)
{
  EchoPjrtCore *core = program->core;
  pthread_mutex_lock(&core->run_lock);
  bool is_wanted = program->bundle.size == 0 && program->key.size != 0 && program->n_ranks == 1 &&
                   program->module != NULL;
  const EchoBundleOptions options = {
      .cache_dir = core->options.cache.size != 0 ? echo_buffer_c_str(&core->options.cache) : NULL,
      .pool = echo_device_pool(program->devices[0]->cpu)};
  if (is_wanted && !echo_bundle_create(program->ctx, program->module, &options, &program->bundle))
    echo_buffer_clear(&program->bundle);
  pthread_mutex_unlock(&core->run_lock);
}

PJRT_Error *Echo_PJRT_Executable_Serialize(PJRT_Executable_Serialize_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, serialized_executable_deleter);
  ECHO_PJRT_CHECK_LIVE(args->executable, ECHO_PJRT_EXECUTABLE);
  EchoPjrtProgram *program = args->executable->program;
  make_bundle(program);
  EchoStr parts[N_PARTS] = {[CODE] = program->code,
                            [OPTIONS] = program->options,
                            [KEY] = echo_buffer_str(&program->key),
                            [BUNDLE] = echo_buffer_str(&program->bundle)};
  EchoBuffer *bytes = echo_pjrt_bytes_create();
  echo_buffer_append(bytes, MAGIC, sizeof MAGIC);
  for (size_t i = 0; i < N_PARTS; i++) {
    uint64_t size = parts[i].size;
    echo_buffer_append(bytes, &size, sizeof size);
  }
  for (size_t i = 0; i < N_PARTS; i++)
    echo_buffer_append_str(bytes, parts[i]);
  args->serialized_bytes = bytes->data;
  args->serialized_bytes_size = bytes->size;
  args->serialized_executable = (PJRT_SerializedExecutable *)(void *)bytes;
  args->serialized_executable_deleter = delete_executable;
  return NULL;
}

/* ---- from bytes ---- */

bool echo_pjrt_load_saved(EchoPjrtProgram *program, EchoStr bytes)
{
  EchoContext *ctx = echo_context_create();
  EchoBundle bundle;
  echo_bundle_register_dialects(ctx);
  if (echo_bundle_read(ctx, "the executable", bytes, &bundle)) {
    program->executables[0] = echo_bundle_load_or_null(ctx, program->devices[0]->cpu, &bundle);
    echo_bundle_close(&bundle);
  }
  if (program->executables[0] == NULL) {
    echo_context_destroy(ctx);
    return false;
  }
  program->run_ctx = ctx;
  echo_buffer_append_str(&program->bundle, bytes);
  return true;
}

static PJRT_Error *read_parts(EchoStr bytes, EchoStr *parts)
{
  uint64_t sizes[N_PARTS];
  size_t at = sizeof MAGIC + sizeof sizes;
  ECHO_PJRT_CHECK(bytes.data != NULL && bytes.size >= at &&
                      memcmp(bytes.data, MAGIC, sizeof MAGIC) == 0,
                  "the bytes are no executable of this plug-in");
  memcpy(sizes, bytes.data + sizeof MAGIC, sizeof sizes);
  for (size_t i = 0; i < N_PARTS; i++) {
    ECHO_PJRT_CHECK(sizes[i] <= bytes.size - at, "the bytes of an executable are cut");
    parts[i] = (EchoStr){bytes.data + at, (size_t)sizes[i]};
    at += (size_t)sizes[i];
  }
  ECHO_PJRT_CHECK(at == bytes.size, "the bytes of an executable are cut");
  return NULL;
}

PJRT_Error *Echo_PJRT_Executable_DeserializeAndLoad(PJRT_Executable_DeserializeAndLoad_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, loaded_executable);
  ECHO_PJRT_CHECK_LIVE(args->client, ECHO_PJRT_CLIENT);
  EchoStr parts[N_PARTS];
  PJRT_Error *error =
      read_parts((EchoStr){args->serialized_executable, args->serialized_executable_size}, parts);
  if (error != NULL)
    return error;
  EchoStr options = parts[OPTIONS];
  if (ECHO_PJRT_HAS(args, overridden_serialized_compile_options_size) &&
      args->overridden_serialized_compile_options != NULL)
    options = (EchoStr){args->overridden_serialized_compile_options,
                        args->overridden_serialized_compile_options_size};
  const EchoPjrtSaved saved = {.key = parts[KEY], .bundle = parts[BUNDLE]};
  EchoPjrtProgram *program;
  error = echo_pjrt_compile(args->client->core, parts[CODE], options, &saved, &program);
  if (error == NULL)
    args->loaded_executable = echo_pjrt_loaded_create(program);
  return error;
}
