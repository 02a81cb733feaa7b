/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The host as an LLVM target, and the passes that kernels need. */
#include "codegen/target_t.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "base/memory.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

/* Loops arrive in the vectoriser's form and without calls, so this gives O3's speed for a part of
 * its time: memory of partial sums goes into registers after their lanes have become vectors. */
static const char PIPELINE[] =
    "function(sroa,early-cse,loop-simplify,lcssa,loop-mssa(licm),loop-vectorize,"
    "loop-unroll<O2;no-partial;no-runtime;no-peeling;no-upperbound;"
    "full-unroll-max=" TEXT(
        ECHO_MOST_PASSES_UNROLLED) ">,"
                                   "sroa,instcombine<no-verify-fixpoint>,sroa,early-cse<memssa>,"
                                   "loop-mssa(licm),simplifycfg,adce)";

const char *echo_target_pipeline(void)
{
  return PIPELINE;
}

static char *copy(const char *text)
{
  size_t size = strlen(text) + 1;
  return memcpy(echo_alloc(size), text, size);
}

/* LLVM keeps to half of a vector register on processors of Intel's that have AVX-512, as the first
 * of them ran slower for a while after a wide instruction. What is computed here goes on for long
 * enough, and short loops are dealt out to whole registers. No other processor minds. */
static const char WHOLE_REGISTERS[] = "-prefer-256-bit";

static char *with_whole_registers(const char *features)
{
  size_t size = strlen(features), n_commas = size != 0;
  char *both = echo_alloc(size + n_commas + sizeof WHOLE_REGISTERS);
  memcpy(both, features, size);
  memcpy(both + size, ",", n_commas);
  memcpy(both + size + n_commas, WHOLE_REGISTERS, sizeof WHOLE_REGISTERS);
  return both;
}

/* LLVM's C interface does not say. Where the list of features does not, the names do that stand for
 * a level; any other is taken for one with AVX. A wrong guess costs time only. */
static void find_registers(EchoTarget *target)
{
  const char *cpu = target->cpu, *features = target->features;
  bool is_below_avx = strcmp(cpu, "x86-64") == 0 || strcmp(cpu, "x86-64-v2") == 0;
  bool has_avx512 = strstr(features, "+avx512f") != NULL || strstr(cpu, "avx512") != NULL ||
                    strcmp(cpu, "x86-64-v4") == 0;
  bool has_avx =
      strstr(features, "+avx") != NULL || (strstr(features, "-avx") == NULL && !is_below_avx);
  target->n_vector_registers = has_avx512 ? 32 : 16;
  target->vector_register_bytes = has_avx512 ? 64 : has_avx ? 32 : 16;
}

void echo_target_create_host(EchoTarget *target, const EchoCodegenOptions *options)
{
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  char *triple = LLVMGetDefaultTargetTriple();
  target->triple = copy(triple);
  LLVMDisposeMessage(triple);
  char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
  target->cpu = copy(options->cpu != NULL ? options->cpu : cpu);
  if (options->features != NULL)
    target->features = copy(options->features);
  else
    target->features = with_whole_registers(options->cpu != NULL ? "" : features);
  LLVMDisposeMessage(cpu);
  LLVMDisposeMessage(features);
  find_registers(target);
}

void echo_target_destroy(EchoTarget *target)
{
  echo_free(target->triple);
  echo_free(target->cpu);
  echo_free(target->features);
  *target = (EchoTarget){0};
}

LLVMTargetMachineRef echo_target_machine_or_null(const EchoTarget *target, EchoBuffer *error)
{
  LLVMTargetRef llvm_target = NULL;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(target->triple, &llvm_target, &message)) {
    echo_buffer_append_c(error, message);
    LLVMDisposeMessage(message);
    return NULL;
  }
  LLVMTargetMachineRef machine =
      LLVMCreateTargetMachine(llvm_target, target->triple, target->cpu, target->features,
                              LLVMCodeGenLevelLess, LLVMRelocPIC, LLVMCodeModelDefault);
  if (machine == NULL)
    echo_buffer_append_c(error, "LLVM has no machine for this target");
  return machine;
}

bool echo_target_optimize(LLVMModuleRef module, LLVMTargetMachineRef machine, EchoBuffer *error)
{
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef failure = LLVMRunPasses(module, PIPELINE, machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (failure == LLVMErrorSuccess)
    return true;
  char *message = LLVMGetErrorMessage(failure);
  echo_buffer_append_c(error, message);
  LLVMDisposeErrorMessage(message);
  return false;
}
