/* Any bytes as a module's text: they give a module or diagnostics, never a crash; and a module that
 * verifies is printed as text that reads back as the same module, in both forms. */
#include "base/memory.h"
#include "base/panic.h"
#include "dialects/dialects.h"
#include "ir/diagnostics.h"
#include "ir/text.h"
#include "ir/verifier.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static EchoOp *parse_or_null(EchoContext *ctx, EchoStr text)
{
  echo_register_dialects(ctx);
  echo_context_allow_unregistered(ctx, true);
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("fuzz.mlir"), text);
  return module != NULL && echo_verify(module) ? module : NULL;
}

static void check_round_trip(const EchoOp *module, bool generic)
{
  EchoPrintOptions options = {.generic = generic, .debug_info = true};
  EchoBuffer first = {0}, second = {0};
  echo_print_op(module, &options, &first);
  EchoContext *ctx = echo_context_create();
  EchoOp *again = parse_or_null(ctx, echo_buffer_str(&first));
  ECHO_CHECK(again != NULL, "what was printed is rejected:\n%s", echo_buffer_c_str(&first));
  echo_print_op(again, &options, &second);
  ECHO_CHECK(echo_str_equal(echo_buffer_str(&first), echo_buffer_str(&second)),
             "printed again it differs:\n%s\n%s", echo_buffer_c_str(&first),
             echo_buffer_c_str(&second));
  echo_context_destroy(ctx);
  echo_buffer_destroy(&first);
  echo_buffer_destroy(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = echo_alloc(size + 1); /* files are read with a NUL behind them */
  if (size != 0)
    memcpy(text, data, size);
  text[size] = '\0';
  EchoContext *ctx = echo_context_create();
  EchoOp *module = parse_or_null(ctx, (EchoStr){text, size});
  if (module != NULL) {
    check_round_trip(module, true);
    check_round_trip(module, false);
  } else {
    ECHO_CHECK(echo_context_n_errors(ctx) != 0, "rejected without a diagnostic");
  }
  echo_context_destroy(ctx);
  echo_free(text);
  return 0;
}
