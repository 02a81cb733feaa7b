/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* MLIR text in and out. parse(print(x)) prints the same bytes, for every stage. */
#ifndef ECHO_IR_TEXT_TEXT_H
#define ECHO_IR_TEXT_TEXT_H

#include "ir/op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parses a source buffer (see echo_context_add_buffer), text or bytecode by its first bytes, into
 * one builtin.module: an explicit top-level module, or an implicit one around several top-level
 * ops, as mlir-opt does. Does not verify. NULL after errors. O(bytes). The op's memory is the
 * context's. */
EchoOp *echo_parse_module_or_null(EchoContext *ctx, uint32_t buffer_id);
/* Convenience: adds the text as a buffer named `file_name` first. `text` must outlive the context,
 * and the byte behind it must be readable (it is copied unless that is NUL). */
EchoOp *echo_parse_text_or_null(EchoContext *ctx, EchoStr file_name, EchoStr text);
/* Reads a file ("-" = standard input) whose text lives as long as the context. */
EchoOp *echo_parse_file_or_null(EchoContext *ctx, const char *path);
/* Whole texts of a type or attribute; NULL after errors at unknown location. */
const EchoType *echo_parse_type_or_null(EchoContext *ctx, EchoStr text);
const EchoAttr *echo_parse_attr_or_null(EchoContext *ctx, EchoStr text);

/* What a dense_resource attribute refers to, as dense elements: from the resource sections that
 * were read. NULL when no section has its key, or, with an error, when the blob does not fit the
 * type. O(bytes). */
const EchoAttr *echo_resource_elements_or_null(EchoContext *ctx, const EchoAttr *resource);
/* Elements of any form as dense ones: themselves, what a resource holds, or zeros with the values
 * of a sparse attribute put in. NULL for what has no numbers, and where a resource is NULL.
 * O(bytes).
 */
const EchoAttr *echo_dense_elements_or_null(EchoContext *ctx, const EchoAttr *elements);

typedef struct EchoPrintOptions {
  bool generic;                  /* --mlir-print-op-generic */
  bool debug_info;               /* --mlir-print-debuginfo: trailing loc(…) with aliases */
  bool local_scope;              /* no aliases; locations inline */
  uint64_t elide_elements_above; /* print dense data with more elements as
                                    dense_resource<__elided__>; 0 = never */
} EchoPrintOptions;

/* Appends the op as mlir-opt prints a top-level op, with a newline at the end (mlir-opt itself adds
 * an empty line behind it). `options` NULL = pretty, no locations. An op inside others is printed
 * without aliases. O(ops). */
void echo_print_op(const EchoOp *op, const EchoPrintOptions *options, EchoBuffer *out);
/* The same text in pieces of up to some hundred kilobytes, each as soon as it is there; false once
 * the sink does not take one, after which it is not asked again. */
typedef bool EchoTextSink(void *user, EchoStr piece);
bool echo_print_op_to(const EchoOp *op, const EchoPrintOptions *options, EchoTextSink *sink,
                      void *user);
void echo_print_type(const EchoType *type, EchoBuffer *out);
void echo_print_attr(const EchoAttr *attr, EchoBuffer *out);

#ifdef __cplusplus
}
#endif

#endif
