/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Fuzzes the text form: any bytes are either refused with an error or parsed; what was parsed
 * prints, and the print parses and prints the same; so does its bytecode. What can be written as a
 * portable artifact is read, and written again to the same bytes. With -DECHO_FUZZ_STANDALONE a
 * plain program over files. */
#include <stdio.h>
#include <stdlib.h>

#include "dialects/dialects.h"
#include "dialects/stablehlo/vhlo/vhlo.h"
#include "ir/bytecode/bytecode.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static EchoOp *parse_or_null(EchoContext *ctx, const char *name, EchoStr text)
{
  return echo_parse_text_or_null(ctx, echo_str(name), text);
}

/* Printing `module`, parsing that and printing again gives the same text. */
static void check_round_trip(EchoContext *ctx, const EchoOp *module,
                             const EchoPrintOptions *options)
{
  EchoBuffer first = {0}, second = {0};
  echo_print_op(module, options, &first);
  EchoStr text = {echo_arena_copy_string(echo_context_arena(ctx), first.data, first.size),
                  first.size};
  const EchoOp *again = parse_or_null(ctx, "printed", text);
  if (again != NULL)
    echo_print_op(again, options, &second);
  if (again == NULL || !echo_str_equal(echo_buffer_str(&first), echo_buffer_str(&second))) {
    fprintf(stderr, "---- printed\n%s---- %s\n%s", echo_buffer_c_str(&first),
            again == NULL ? "does not parse" : "printed again", echo_buffer_c_str(&second));
    abort();
  }
  echo_buffer_destroy(&first);
  echo_buffer_destroy(&second);
}

/* What is written as bytecode, where it can be, is read and prints the same. */
static void check_bytecode(EchoContext *ctx, EchoOp *module)
{
  EchoBuffer bytes = {0}, first = {0}, second = {0};
  const EchoPrintOptions options = {.generic = true, .debug_info = true, .local_scope = true};
  if (echo_write_bytecode(module, &bytes)) {
    const EchoOp *again =
        echo_read_bytecode_or_null(ctx, ECHO_STR("written"), echo_buffer_str(&bytes));
    echo_print_op(module, &options, &first);
    if (again != NULL)
      echo_print_op(again, &options, &second);
    if (again == NULL || !echo_str_equal(echo_buffer_str(&first), echo_buffer_str(&second))) {
      fprintf(stderr, "---- printed\n%s---- %s\n%s", echo_buffer_c_str(&first),
              again == NULL ? "is not read as bytecode" : "printed from bytecode",
              echo_buffer_c_str(&second));
      abort();
    }
  }
  echo_buffer_destroy(&bytes);
  echo_buffer_destroy(&first);
  echo_buffer_destroy(&second);
}

/* A portable artifact of a version, where the module is one, is read as a module that is the same
 * artifact. */
static void check_artifact(EchoContext *ctx, EchoOp *module, const char *text)
{
  EchoBuffer first = {0}, second = {0};
  EchoVhloVersion version;
  if (!echo_vhlo_parse_version(text, &version) ||
      !echo_write_portable_artifact(module, version, &first))
    return;
  EchoOp *again = echo_read_bytecode_or_null(ctx, ECHO_STR("artifact"), echo_buffer_str(&first));
  if (again != NULL && !echo_write_portable_artifact(again, version, &second))
    again = NULL;
  if (again == NULL || !echo_str_equal(echo_buffer_str(&first), echo_buffer_str(&second))) {
    fprintf(stderr, "---- artifact of %s: %s\n", text,
            again == NULL ? "is not read" : "is another when it is written again");
    abort();
  }
  echo_buffer_destroy(&first);
  echo_buffer_destroy(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = malloc(size + 1);
  memcpy(text, data, size);
  text[size] = '\0';
  EchoContext *ctx = echo_context_create();
  echo_context_allow_unregistered(ctx, true);
  echo_register_dialects(ctx);
  EchoOp *module = parse_or_null(ctx, "input", (EchoStr){text, size});
  /* Round trips are promised for what the verifier accepts. */
  if (module != NULL && echo_verify(module)) {
    check_round_trip(ctx, module, &(EchoPrintOptions){.generic = true});
    check_round_trip(ctx, module, &(EchoPrintOptions){0});
    check_round_trip(ctx, module, &(EchoPrintOptions){.generic = true, .debug_info = true});
    check_bytecode(ctx, module);
    check_artifact(ctx, module, "1.20.0");
    check_artifact(ctx, module, "0.13.0");
  }
  echo_context_destroy(ctx);
  free(text);
  return 0;
}

#ifdef ECHO_FUZZ_STANDALONE
static int run_file(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return 1;
  size_t size = 0, capacity = 1 << 16, n;
  uint8_t *data = malloc(capacity);
  while ((n = fread(data + size, 1, capacity - size, file)) != 0)
    if ((size += n) == capacity)
      data = realloc(data, capacity *= 2);
  fclose(file);
  int status = LLVMFuzzerTestOneInput(data, size);
  free(data);
  return status;
}

int main(int argc, char **argv)
{
  int status = 0;
  for (int i = 1; i < argc; i++)
    status |= run_file(argv[i]);
  return status;
}
#endif
