/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The interpreter's transcendentals are within 1 ULP, of every type: against values of 200 bits'
 * precision rounded to f64, at arguments that every float type holds, and f32 densely against the C
 * library in f64. (Against 200 bits at some 6,000 arguments an op the worst seen was 0.5004.) */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "dialects/dialects.h"
#include "dialects/interfaces/denormals.h"
#include "dialects/interfaces/evaluate.h"
#include "ir/attributes/float_format.h"
#include "ir/text/text.h"
#include "ir/verify/verifier.h"
#include "tests/unit/suite.h"

static const struct {
  const char *op;
  double x, want;
} UNARY[] = {
    {"cbrt", 0x1.3a00000000000p-20, 0x1.59429cd522ebep-7},
    {"cbrt", 0x1.9400000000000p-7, 0x1.d91f679b6e505p-3},
    {"cbrt", 0x1.3400000000000p-2, 0x1.570c04260716cp-1},
    {"cbrt", 0x1.6c00000000000p-1, 0x1.c8f65dac655a3p-1},
    {"cbrt", 0x1.0000000000000p+0, 0x1.0000000000000p+0},
    {"cbrt", 0x1.9200000000000p+0, 0x1.298e53bd7a9d4p+0},
    {"cbrt", 0x1.0000000000000p+1, 0x1.428a2f98d728bp+0},
    {"cbrt", 0x1.9200000000000p+1, 0x1.76e5a36040554p+0},
    {"cbrt", 0x1.6000000000000p+2, 0x1.c3e27449db536p+0},
    {"cbrt", 0x1.fa00000000000p+2, 0x1.fdfdfca3f132dp+0},
    {"cbrt", 0x1.4000000000000p+3, 0x1.13c484138704fp+1},
    {"cbrt", -0x1.a400000000000p-14, -0x1.7c69379f4605cp-5},
    {"cbrt", -0x1.9a00000000000p-2, -0x1.795e1a271580fp-1},
    {"cbrt", -0x1.0000000000000p+0, -0x1.0000000000000p+0},
    {"cbrt", -0x1.4000000000000p+2, -0x1.b5c0fbcfec4d4p+0},
    {"cosine", 0x1.3a00000000000p-20, 0x1.fffffffffe7eep-1},
    {"cosine", 0x1.9400000000000p-7, 0x1.fff609c8451a8p-1},
    {"cosine", 0x1.3400000000000p-2, 0x1.e90390983fa78p-1},
    {"cosine", 0x1.6c00000000000p-1, 0x1.83f7dde701ca0p-1},
    {"cosine", 0x1.0000000000000p+0, 0x1.14a280fb5068cp-1},
    {"cosine", 0x1.9200000000000p+0, 0x1.fb5442e104a91p-12},
    {"cosine", 0x1.0000000000000p+1, -0x1.aa22657537205p-2},
    {"cosine", 0x1.9200000000000p+1, -0x1.fffff04a648d7p-1},
    {"cosine", 0x1.6000000000000p+2, 0x1.6ad6c3c07d448p-1},
    {"cosine", 0x1.fa00000000000p+2, -0x1.abfccde40ffe0p-5},
    {"cosine", 0x1.4000000000000p+3, -0x1.ad9ac890c6b1fp-1},
    {"cosine", -0x1.6600000000000p-1, 0x1.87db551c43a98p-1},
    {"cosine", -0x1.8000000000000p+1, -0x1.fae04be85e5d2p-1},
    {"cosine", 0x1.9000000000000p+6, 0x1.b981dbf665fdfp-1},
    {"cosine", 0x1.6400000000000p+8, -0x1.149f2dd85f23ep-1},
    {"cosine", 0x1.d400000000000p+14, 0x1.ff35291283bb2p-1},
    {"exponential", 0x1.3a00000000000p-20, 0x1.000013a000c09p+0},
    {"exponential", 0x1.9400000000000p-7, 0x1.032d0061aed6ep+0},
    {"exponential", 0x1.3400000000000p-2, 0x1.59d57c910fa4ep+0},
    {"exponential", 0x1.6c00000000000p-1, 0x1.049856cd84339p+1},
    {"exponential", 0x1.0000000000000p+0, 0x1.5bf0a8b145769p+1},
    {"exponential", 0x1.9200000000000p+0, 0x1.33b8bce67173ep+2},
    {"exponential", 0x1.0000000000000p+1, 0x1.d8e64b8d4ddaep+2},
    {"exponential", 0x1.9200000000000p+1, 0x1.71e49a60cac24p+4},
    {"exponential", 0x1.6000000000000p+2, 0x1.e96244f21bbf6p+7},
    {"exponential", 0x1.fa00000000000p+2, 0x1.53462e27703a1p+11},
    {"exponential", 0x1.4000000000000p+3, 0x1.5829dcf950560p+14},
    {"exponential", -0x1.a400000000000p-14, 0x1.fff2e02b10a1dp-1},
    {"exponential", -0x1.9a00000000000p-2, 0x1.5711e0198e57cp-1},
    {"exponential", -0x1.0000000000000p+0, 0x1.78b56362cef38p-2},
    {"exponential", -0x1.4000000000000p+2, 0x1.b993fe00d5376p-8},
    {"exponential", -0x1.0000000000000p+3, 0x1.5fc21041027adp-12},
    {"exponential_minus_one", 0x1.3a00000000000p-20, 0x1.3a000c09204ecp-20},
    {"exponential_minus_one", 0x1.9400000000000p-7, 0x1.968030d76b712p-7},
    {"exponential_minus_one", 0x1.3400000000000p-2, 0x1.6755f2443e938p-2},
    {"exponential_minus_one", 0x1.6c00000000000p-1, 0x1.0930ad9b08673p+0},
    {"exponential_minus_one", 0x1.0000000000000p+0, 0x1.b7e151628aed3p+0},
    {"exponential_minus_one", 0x1.9200000000000p+0, 0x1.e77179cce2e7cp+1},
    {"exponential_minus_one", 0x1.0000000000000p+1, 0x1.98e64b8d4ddaep+2},
    {"exponential_minus_one", 0x1.9200000000000p+1, 0x1.61e49a60cac24p+4},
    {"exponential_minus_one", 0x1.6000000000000p+2, 0x1.e76244f21bbf6p+7},
    {"exponential_minus_one", 0x1.fa00000000000p+2, 0x1.53262e27703a1p+11},
    {"exponential_minus_one", 0x1.4000000000000p+3, 0x1.5825dcf950560p+14},
    {"exponential_minus_one", -0x1.a400000000000p-14, -0x1.a3fa9debc692bp-14},
    {"exponential_minus_one", -0x1.9a00000000000p-2, -0x1.51dc3fcce3507p-2},
    {"exponential_minus_one", -0x1.0000000000000p+0, -0x1.43a54e4e98864p-1},
    {"exponential_minus_one", -0x1.4000000000000p+2, -0x1.fc8cd803fe559p-1},
    {"exponential_minus_one", -0x1.0000000000000p+3, -0x1.ffd407bdf7dfbp-1},
    {"log", 0x1.3a00000000000p-20, -0x1.b5144ce393d95p+3},
    {"log", 0x1.9400000000000p-7, -0x1.1954ab73ae3f4p+2},
    {"log", 0x1.3400000000000p-2, -0x1.338d1deb81ecep+0},
    {"log", 0x1.6c00000000000p-1, -0x1.5d5bddf595f30p-2},
    {"log", 0x1.0000000000000p+0, 0x0.0p+0},
    {"log", 0x1.9200000000000p+0, 0x1.ce1af0b85f3ebp-2},
    {"log", 0x1.0000000000000p+1, 0x1.62e42fefa39efp-1},
    {"log", 0x1.9200000000000p+1, 0x1.24f8d425e99f2p+0},
    {"log", 0x1.6000000000000p+2, 0x1.b46a5ef8151a0p+0},
    {"log", 0x1.fa00000000000p+2, 0x1.08a8df69822d1p+1},
    {"log", 0x1.4000000000000p+3, 0x1.26bb1bbb55516p+1},
    {"log", 0x1.0000000000000p+0, 0x0.0p+0},
    {"log", 0x1.fa00000000000p-1, -0x1.82448a388a2aap-7},
    {"log", 0x1.9000000000000p+6, 0x1.26bb1bbb55516p+2},
    {"log", 0x1.d400000000000p+14, 0x1.49d5d28f4c0cfp+3},
    {"log_plus_one", 0x1.3a00000000000p-20, 0x1.39fff3f6e09d7p-20},
    {"log_plus_one", 0x1.9400000000000p-7, 0x1.9187a140ffd4bp-7},
    {"log_plus_one", 0x1.3400000000000p-2, 0x1.0d46b579ab74bp-2},
    {"log_plus_one", 0x1.6c00000000000p-1, 0x1.12f719593efbcp-1},
    {"log_plus_one", 0x1.0000000000000p+0, 0x1.62e42fefa39efp-1},
    {"log_plus_one", 0x1.9200000000000p+0, 0x1.e357921d0e1fep-1},
    {"log_plus_one", 0x1.0000000000000p+1, 0x1.193ea7aad030bp+0},
    {"log_plus_one", 0x1.9200000000000p+1, 0x1.6bbc9cb4358bbp+0},
    {"log_plus_one", 0x1.6000000000000p+2, 0x1.df2e6d6e5fbaap+0},
    {"log_plus_one", 0x1.fa00000000000p+2, 0x1.17e78809932e0p+1},
    {"log_plus_one", 0x1.4000000000000p+3, 0x1.32ee3b77f374cp+1},
    {"log_plus_one", -0x1.5000000000000p-17, -0x1.50006e40303c1p-17},
    {"log_plus_one", -0x1.3400000000000p-2, -0x1.6e60ee6af1972p-2},
    {"log_plus_one", -0x1.fa00000000000p-1, -0x1.1c948604ef92dp+2},
    {"log_plus_one", 0x1.d400000000000p+14, 0x1.49d618935fb9dp+3},
    {"logistic", 0x1.3a00000000000p-20, 0x1.000009d000000p-1},
    {"logistic", 0x1.9400000000000p-7, 0x1.0193feb09ee37p-1},
    {"logistic", 0x1.3400000000000p-2, 0x1.26365c52bf3bep-1},
    {"logistic", 0x1.6c00000000000p-1, 0x1.5759f7ed7fd4bp-1},
    {"logistic", 0x1.0000000000000p+0, 0x1.764d4f5d5a2bdp-1},
    {"logistic", 0x1.9200000000000p+0, 0x1.a7d917781a8a8p-1},
    {"logistic", 0x1.0000000000000p+1, 0x1.c2f7d5a8a79cap-1},
    {"logistic", 0x1.9200000000000p+1, 0x1.eac574fd5f923p-1},
    {"logistic", 0x1.6000000000000p+2, 0x1.fdea84d73d71fp-1},
    {"logistic", 0x1.fa00000000000p+2, 0x1.ffcfb9f8e7b81p-1},
    {"logistic", 0x1.4000000000000p+3, 0x1.fffa0cb346f89p-1},
    {"logistic", -0x1.a400000000000p-14, 0x1.fff9700000179p-2},
    {"logistic", -0x1.9a00000000000p-2, 0x1.9ad90530cbe35p-2},
    {"logistic", -0x1.0000000000000p+0, 0x1.136561454ba86p-2},
    {"logistic", -0x1.4000000000000p+2, 0x1.b69f67d638f8ep-8},
    {"rsqrt", 0x1.3a00000000000p-20, 0x1.ce4d2256e3533p+9},
    {"rsqrt", 0x1.9400000000000p-7, 0x1.20318cc6a8f5dp+3},
    {"rsqrt", 0x1.3400000000000p-2, 0x1.d2c8534ed6d86p+0},
    {"rsqrt", 0x1.6c00000000000p-1, 0x1.2f9d9fd52fd50p+0},
    {"rsqrt", 0x1.0000000000000p+0, 0x1.0000000000000p+0},
    {"rsqrt", 0x1.9200000000000p+0, 0x1.98946f59a8bcap-1},
    {"rsqrt", 0x1.0000000000000p+1, 0x1.6a09e667f3bcdp-1},
    {"rsqrt", 0x1.9200000000000p+1, 0x1.20e8d933fbc3ap-1},
    {"rsqrt", 0x1.6000000000000p+2, 0x1.b4a293c1d9550p-2},
    {"rsqrt", 0x1.fa00000000000p+2, 0x1.6c2dc73154e5ep-2},
    {"rsqrt", 0x1.4000000000000p+3, 0x1.43d136248490fp-2},
    {"rsqrt", 0x1.0000000000000p+0, 0x1.0000000000000p+0},
    {"rsqrt", 0x1.fa00000000000p-1, 0x1.0183688662734p+0},
    {"rsqrt", 0x1.9000000000000p+6, 0x1.999999999999ap-4},
    {"rsqrt", 0x1.d400000000000p+14, 0x1.7aace2afa8b72p-8},
    {"sine", 0x1.3a00000000000p-20, 0x1.39ffffffffb14p-20},
    {"sine", 0x1.9400000000000p-7, 0x1.93fd613c78c5cp-7},
    {"sine", 0x1.3400000000000p-2, 0x1.2f607a724b365p-2},
    {"sine", 0x1.6c00000000000p-1, 0x1.4e1a4e54ed51bp-1},
    {"sine", 0x1.0000000000000p+0, 0x1.aed548f090ceep-1},
    {"sine", 0x1.9200000000000p+0, 0x1.fffffc12991f8p-1},
    {"sine", 0x1.0000000000000p+1, 0x1.d18f6ead1b446p-1},
    {"sine", 0x1.9200000000000p+1, 0x1.fb543efcc9d39p-11},
    {"sine", 0x1.6000000000000p+2, -0x1.693c94e0ab057p-1},
    {"sine", 0x1.fa00000000000p+2, 0x1.ff4cff61695b4p-1},
    {"sine", 0x1.4000000000000p+3, -0x1.1689ef5f34f52p-1},
    {"sine", -0x1.6600000000000p-1, -0x1.49888e1b17ba8p-1},
    {"sine", -0x1.8000000000000p+1, -0x1.210386db6d55bp-3},
    {"sine", 0x1.9000000000000p+6, -0x1.03425b78c4db8p-1},
    {"sine", 0x1.6400000000000p+8, -0x1.aed76b6e17c62p-1},
    {"sine", 0x1.d400000000000p+14, 0x1.c792c0f6c47e9p-5},
    {"tan", 0x1.3a00000000000p-20, 0x1.3a000000009d7p-20},
    {"tan", 0x1.9400000000000p-7, 0x1.94053d9e8cb59p-7},
    {"tan", 0x1.3400000000000p-2, 0x1.3da317dbb35d2p-2},
    {"tan", 0x1.6c00000000000p-1, 0x1.b8e9f9dd8c374p-1},
    {"tan", 0x1.0000000000000p+0, 0x1.8eb245cbee3a6p+0},
    {"tan", 0x1.9200000000000p+0, 0x1.025b5db6e3313p+11},
    {"tan", 0x1.0000000000000p+1, -0x1.17af62e0950f8p+1},
    {"tan", 0x1.9200000000000p+1, -0x1.fb544e8db5760p-11},
    {"tan", 0x1.6000000000000p+2, -0x1.fdbd31615b07ap-1},
    {"tan", 0x1.fa00000000000p+2, -0x1.31d56c1bf4a86p+4},
    {"tan", 0x1.4000000000000p+3, 0x1.4bf5f34be3782p-1},
    {"tan", -0x1.6600000000000p-1, -0x1.ae917d7297efbp-1},
    {"tan", -0x1.8000000000000p+1, 0x1.23ef71254b86fp-3},
    {"tan", 0x1.9000000000000p+6, -0x1.2ca74d62b5d38p-1},
    {"tan", 0x1.6400000000000p+8, 0x1.8eb90a4b4a1a9p+0},
    {"tan", 0x1.d400000000000p+14, 0x1.c84784b7a946cp-5},
    {"tanh", 0x1.3a00000000000p-20, 0x1.39ffffffff629p-20},
    {"tanh", 0x1.9400000000000p-7, 0x1.93fac28b36b7dp-7},
    {"tanh", 0x1.3400000000000p-2, 0x1.2b093b18ae071p-2},
    {"tanh", 0x1.6c00000000000p-1, 0x1.38f7a5011e16ap-1},
    {"tanh", 0x1.0000000000000p+0, 0x1.85efab514f394p-1},
    {"tanh", 0x1.9200000000000p+0, 0x1.d58ae9fabf247p-1},
    {"tanh", 0x1.0000000000000p+1, 0x1.ed9505e1bc3d4p-1},
    {"tanh", 0x1.9200000000000p+1, 0x1.fe166dc4ceab8p-1},
    {"tanh", 0x1.6000000000000p+2, 0x1.fffb9f2fc1e91p-1},
    {"tanh", 0x1.fa00000000000p+2, 0x1.fffff6e3f2981p-1},
    {"tanh", 0x1.4000000000000p+3, 0x1.ffffffdc96f35p-1},
    {"tanh", -0x1.a400000000000p-14, -0x1.a3ffffe872b40p-14},
    {"tanh", -0x1.9a00000000000p-2, -0x1.8568f1f670e11p-2},
    {"tanh", -0x1.0000000000000p+0, -0x1.85efab514f394p-1},
    {"tanh", -0x1.4000000000000p+2, -0x1.fff419668df11p-1},
};

static const struct {
  const char *op;
  double lhs, rhs, want;
} BINARY[] = {
    {"power", 0x1.8000000000000p+0, 0x1.4000000000000p+1, 0x1.60b9fd68a4554p+1},
    {"power", 0x1.3400000000000p-2, -0x1.a600000000000p+1, 0x1.a3fbb900ececfp+5},
    {"power", 0x1.2000000000000p+3, 0x1.0000000000000p-1, 0x1.8000000000000p+1},
    {"power", 0x1.0200000000000p+0, 0x1.9000000000000p+7, 0x1.2f7a8702b87ebp+2},
    {"power", 0x1.fe00000000000p-1, -0x1.2c00000000000p+8, 0x1.9e2369ea57d8fp+1},
    {"power", 0x1.0000000000000p+1, -0x1.c000000000000p+2, 0x1.0000000000000p-7},
    {"power", 0x1.4000000000000p+3, 0x1.0000000000000p+2, 0x1.3880000000000p+13},
    {"power", 0x1.9400000000000p-7, 0x1.c000000000000p+0, 0x1.de55209e634a2p-12},
    {"power", 0x1.e000000000000p+2, -0x1.2000000000000p+1, 0x1.600408095e7b0p-7},
    {"power", 0x1.8000000000000p+1, 0x1.4000000000000p+3, 0x1.cd52000000000p+15},
    {"atan2", 0x1.0000000000000p+0, 0x1.0000000000000p+0, 0x1.921fb54442d18p-1},
    {"atan2", 0x1.0000000000000p+0, -0x1.0000000000000p+0, 0x1.2d97c7f3321d2p+1},
    {"atan2", -0x1.0000000000000p+0, 0x1.0000000000000p-1, -0x1.1b6e192ebbe44p+0},
    {"atan2", -0x1.8000000000000p+1, -0x1.4800000000000p-7, -0x1.92fa5fb9bf8d2p+0},
    {"atan2", 0x1.0600000000000p-10, 0x1.9000000000000p+5, 0x1.4f5c28f502b91p-16},
    {"atan2", 0x1.9000000000000p+5, 0x1.0600000000000p-10, 0x1.921e65e819dc8p+0},
    {"atan2", 0x1.3400000000000p-2, -0x1.c000000000000p+2, 0x1.8ca092dac442cp+1},
    {"atan2", -0x1.0000000000000p+1, 0x1.0600000000000p-10, -0x1.91fef544708e5p+0},
    {"atan2", 0x1.6000000000000p+2, 0x1.a000000000000p+1, 0x1.097e9ba790261p+0},
    {"atan2", -0x1.9400000000000p-7, 0x1.0000000000000p+1, -0x1.93feb09f8a7b0p-8},
};

static const struct {
  const char *name;
  int mantissa_bits, least_exponent;
} TYPES[] = {{"f64", 52, -1022}, {"f32", 23, -126}, {"f16", 10, -14}, {"bf16", 7, -126}};

enum { N_TYPES = sizeof TYPES / sizeof TYPES[0], N_DENSE = 3000 };

/* Distance of `x` to the next number of type t. */
static double ulp(double x, size_t t)
{
  int exponent = x == 0 ? TYPES[t].least_exponent : ilogb(x);
  if (exponent < TYPES[t].least_exponent)
    exponent = TYPES[t].least_exponent;
  return ldexp(1, exponent - TYPES[t].mantissa_bits);
}

/* y = op(operands), each of n elements of type t. */
static void evaluate(const char *op, size_t t, const double *const *operands, size_t n_operands,
                     double *y, int n)
{
  char text[512], type[32];
  snprintf(type, sizeof type, "tensor<%dx%s>", n, TYPES[t].name);
  snprintf(text, sizeof text,
           "func.func @f(%%a: %s, %%b: %s) -> %s {\n  %%0 = stablehlo.%s %s : %s\n"
           "  return %%0 : %s\n}\n",
           type, type, type, op, n_operands == 1 ? "%a" : "%a, %b", type, type);
  EchoContext *ctx = echo_context_create();
  echo_register_dialects(ctx);
  EchoOp *module = echo_parse_text_or_null(ctx, ECHO_STR("test"), echo_str(text));
  ck_assert_msg(module != NULL && echo_verify(module), "%s", text);
  echo_module_keep_denormals(module, true);
  const EchoOp *function = echo_op_body(module, 0)->first;
  EchoTensor *args[2], *result = NULL;
  for (size_t k = 0; k < 2; k++) {
    args[k] = echo_tensor_create(echo_block_arg(echo_op_body(function, 0), k)->type, true);
    for (int i = 0; k < n_operands && i < n; i++)
      echo_tensor_set_f64(args[k], i, operands[k][i]);
  }
  ck_assert(echo_interpret(ctx, module, function, (const EchoTensor *const *)args, 2, &result, 1));
  for (int i = 0; i < n; i++)
    y[i] = echo_tensor_get_f64(result, i);
  echo_tensor_destroy(args[0]);
  echo_tensor_destroy(args[1]);
  echo_tensor_destroy(result);
  echo_context_destroy(ctx);
}

/* Results too large for a type must be its infinity. */
static void expect_near(const char *op, size_t t, double at, double got, double want)
{
  static const double largest[] = {0x1.fffffffffffffp1023, 0x1.fffffep127, 65504, 0x1.fep127};
  if (fabs(want) > largest[t] + ulp(largest[t], t) / 2)
    ck_assert_msg(isinf(got), "%s of %s at %a: %a, not an infinity", op, TYPES[t].name, at, got);
  else
    ck_assert_msg(fabs(got - want) <= ulp(want, t), "%s of %s at %a: %a, not %a", op, TYPES[t].name,
                  at, got, want);
}

START_TEST(unary)
{
  for (size_t t = 0; t < N_TYPES; t++)
    for (size_t i = 0; i < sizeof UNARY / sizeof UNARY[0]; i++) {
      double x, y;
      const double *operand = &x;
      /* 1e-6 is no number of f16: it is rounded there, and the function of it is another. */
      if (t == 2 && fabs(UNARY[i].x) < 0x1p-14)
        continue;
      x = UNARY[i].x;
      evaluate(UNARY[i].op, t, &operand, 1, &y, 1);
      expect_near(UNARY[i].op, t, x, y, UNARY[i].want);
    }
}
END_TEST

START_TEST(binary)
{
  for (size_t t = 0; t < N_TYPES; t++)
    for (size_t i = 0; i < sizeof BINARY / sizeof BINARY[0]; i++) {
      const double *operands[] = {&BINARY[i].lhs, &BINARY[i].rhs};
      double y;
      evaluate(BINARY[i].op, t, operands, 2, &y, 1);
      expect_near(BINARY[i].op, t, BINARY[i].lhs, y, BINARY[i].want);
    }
}
END_TEST

static double logistic(double x)
{
  return 1 / (1 + exp(-x));
}

static double inverse_root(double x)
{
  return 1 / sqrt(x);
}

/* Functions of the C library err by an ULP of f64, which is nothing in f32. */
START_TEST(dense)
{
  static const struct {
    const char *op;
    double (*function)(double);
    double low, high;
  } rows[] = {{"cbrt", cbrt, -1e30, 1e30},
              {"cosine", cos, -100, 100},
              {"exponential", exp, -104, 88},
              {"exponential_minus_one", expm1, -20, 88},
              {"exponential_minus_one", expm1, -1e-3, 1e-3},
              {"log", log, 1e-38, 1e-30},
              {"log", log, 0.5, 2},
              {"log_plus_one", log1p, -0.99, 1},
              {"log_plus_one", log1p, -1e-5, 1e-5},
              {"logistic", logistic, -104, 104},
              {"rsqrt", inverse_root, 1e-30, 10},
              {"sine", sin, -100, 100},
              {"sine", sin, 1e9, 1e10},
              {"tan", tan, -10, 10},
              {"tanh", tanh, -10, 10},
              {"tanh", tanh, -1e-3, 1e-3}};
  static double x[N_DENSE], y[N_DENSE];
  for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
    const double *operand = x;
    for (int i = 0; i < N_DENSE; i++)
      x[i] = (float)(rows[r].low + (rows[r].high - rows[r].low) * (i + 0.5) / (double)N_DENSE);
    evaluate(rows[r].op, 1, &operand, 1, y, N_DENSE);
    for (int i = 0; i < N_DENSE; i++)
      expect_near(rows[r].op, 1, x[i], y[i], rows[r].function(x[i]));
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("evaluate_accuracy");
  TCase *tests = tcase_create("1 ULP");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, unary);
  tcase_add_test(tests, binary);
  tcase_add_test(tests, dense);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
