/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Floating-point numbers as MLIR writes them: six significant digits where those read back as the
 * same value, else enough digits for the format without an exponent where it is short, else the
 * bits in hexadecimal. Digits are computed exactly, by the rules of LLVM's APFloat::toString, so
 * that the text is the same to the byte. */
#ifndef ECHO_IR_TEXT_FLOAT_TEXT_T_H
#define ECHO_IR_TEXT_FLOAT_TEXT_T_H

#include "ir/attributes/type.h"

/* Appends the number whose bits are `words` (the second is used by f80 and f128 only). True when it
 * was written as hexadecimal bits. */
bool echo_float_print(EchoFloatKind kind, const uint64_t words[2], EchoBuffer *out);

#endif
