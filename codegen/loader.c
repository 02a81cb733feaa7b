/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "codegen/loader.h"

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>

struct EchoLoader {
  LLVMOrcLLJITRef jit;
};

/* Turns an LLVM error into a diagnostic; true when there was none. */
static bool succeeded(EchoContext *ctx, LLVMErrorRef error, const char *doing)
{
  if (error == NULL)
    return true;
  char *message = LLVMGetErrorMessage(error);
  echo_error(ctx, echo_loc_unknown(), "LLVM failed %s: %s", doing, message);
  LLVMDisposeErrorMessage(message);
  return false;
}

/* What objects refer to outside themselves (memcpy, memset, fmod) comes from this process. */
static bool add_process_symbols(EchoContext *ctx, LLVMOrcLLJITRef jit)
{
  LLVMOrcDefinitionGeneratorRef generator;
  if (!succeeded(ctx,
                 LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                     &generator, LLVMOrcLLJITGetGlobalPrefix(jit), NULL, NULL),
                 "to look into this process"))
    return false;
  LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(jit), generator);
  return true;
}

EchoLoader *echo_loader_create_or_null(EchoContext *ctx)
{
  if (ctx == NULL)
    return NULL;
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMOrcLLJITRef jit;
  if (!succeeded(ctx, LLVMOrcCreateLLJIT(&jit, LLVMOrcCreateLLJITBuilder()), "to start its JIT"))
    return NULL;
  EchoLoader *loader = echo_alloc(sizeof *loader);
  loader->jit = jit;
  if (!add_process_symbols(ctx, jit)) {
    echo_loader_destroy(loader);
    return NULL;
  }
  return loader;
}

void echo_loader_destroy(EchoLoader *loader)
{
  if (loader == NULL)
    return;
  LLVMErrorRef error = LLVMOrcDisposeLLJIT(loader->jit);
  if (error != NULL)
    LLVMConsumeError(error); /* nothing was lost: the code is no longer needed */
  echo_free(loader);
}

bool echo_loader_add_object(EchoLoader *loader, EchoContext *ctx, EchoStr object)
{
  if (loader == NULL || ctx == NULL || object.data == NULL)
    return echo_misuse(ctx, echo_loc_unknown(), "an object is loaded: '%s' is NULL",
                       loader == NULL ? "loader" : "object");
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(object.data, object.size, "kernel");
  return succeeded(
      ctx, LLVMOrcLLJITAddObjectFile(loader->jit, LLVMOrcLLJITGetMainJITDylib(loader->jit), buffer),
      "to add an object");
}

bool echo_loader_lookup(EchoLoader *loader, EchoContext *ctx, EchoStr symbol, void **address)
{
  if (loader == NULL || ctx == NULL || symbol.data == NULL || address == NULL)
    return echo_misuse(ctx, echo_loc_unknown(), "a symbol is looked up: '%s' is NULL",
                       loader == NULL        ? "loader"
                       : symbol.data == NULL ? "symbol"
                                             : "address");
  LLVMOrcExecutorAddress found = 0;
  EchoBuffer name = {0};
  echo_buffer_append_str(&name, symbol);
  bool ok = succeeded(ctx, LLVMOrcLLJITLookup(loader->jit, &found, echo_buffer_c_str(&name)),
                      "to find a symbol");
  echo_buffer_destroy(&name);
  *address = (void *)(uintptr_t)found;
  return ok;
}
