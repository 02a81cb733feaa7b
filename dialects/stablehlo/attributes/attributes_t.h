/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The inside of StableHLO's attributes, for this folder and chlo: payloads, and the tables by which
 * struct-like attributes are both read and written. Whoever is outside uses attributes.h. */
#ifndef ECHO_DIALECTS_STABLEHLO_ATTRIBUTES_ATTRIBUTES_T_H
#define ECHO_DIALECTS_STABLEHLO_ATTRIBUTES_ATTRIBUTES_T_H

#include "dialects/stablehlo/attributes/attributes.h"

typedef enum EchoHloAttrKind {
  ECHO_HLO_ATTR_VERBATIM, /* known, kept as text: meshes */
  ECHO_HLO_ATTR_BOUNDS,   /* of dynamic dimensions: a tensor's encoding */
  ECHO_HLO_ATTR_DOT,
  ECHO_HLO_ATTR_CONV,
  ECHO_HLO_ATTR_GATHER,
  ECHO_HLO_ATTR_SCATTER,
  ECHO_HLO_ATTR_RAGGED_DOT,
  ECHO_HLO_ATTR_DOT_ALGORITHM,
  ECHO_HLO_ATTR_OUTPUT_OPERAND_ALIAS,
  ECHO_HLO_ATTR_CHANNEL_HANDLE,
  ECHO_HLO_ATTR_RESULT_ACCURACY,
  ECHO_HLO_ATTR_COMPARISON_DIRECTION,
  ECHO_HLO_ATTR_COMPARISON_TYPE,
  ECHO_HLO_ATTR_PRECISION,
  ECHO_HLO_ATTR_RNG_ALGORITHM,
  ECHO_HLO_ATTR_RNG_DISTRIBUTION,
  ECHO_HLO_ATTR_TRANSPOSE,
  ECHO_HLO_ATTR_FFT_TYPE,
  ECHO_HLO_ATTR_RESULT_ACCURACY_MODE
} EchoHloAttrKind;

/* What an opaque attribute's payload points to. */
typedef struct EchoHloPayload {
  EchoHloAttrKind kind;
  union {
    EchoDotDims dot;
    EchoConvDims conv;
    EchoGatherDims gather;
    EchoScatterDims scatter;
    EchoRaggedDotDims ragged_dot;
    EchoDotAlgorithm dot_algorithm;
    EchoOutputOperandAlias alias;
    EchoChannelHandle channel;
    EchoResultAccuracy accuracy;
    EchoDimList bounds; /* ECHO_DYNAMIC = none */
    int word;           /* of the enumerations */
  } as;
} EchoHloPayload;

/* The payload when `attr` is one of ours and of this kind, else NULL. NULL attr allowed. */
const EchoHloPayload *echo_hlo_payload_or_null(const EchoAttr *attr, EchoHloAttrKind kind);

/* EchoDialect.parse_attr of stablehlo and of chlo. */
bool echo_hlo_parse_attr(EchoContext *ctx, EchoLoc loc, EchoStr text, bool is_pretty,
                         const void **payload);

/* An attribute of integers as a list; NULL is the empty list. Lives as long as the context. */
EchoDimList echo_hlo_dim_list(EchoContext *ctx, const EchoAttr *attr);

/* EchoDialect.canonical_attr of stablehlo and of chlo. */
bool echo_hlo_canonical_attr(EchoContext *ctx, const void *payload, EchoStr text, bool is_pretty,
                             EchoBuffer *out);

/* ---- struct-like attributes by table ---- */

typedef enum EchoHloFieldKind {
  ECHO_HLO_FIELD_DIMS,
  ECHO_HLO_FIELD_INT,
  ECHO_HLO_FIELD_BOOL,
  ECHO_HLO_FIELD_TYPE,
  ECHO_HLO_FIELD_FLOAT,
  ECHO_HLO_FIELD_MODE /* a nested #stablehlo.result_accuracy_mode<…> */
} EchoHloFieldKind;

typedef struct EchoHloField {
  const char *name;
  EchoHloFieldKind kind;
  size_t offset; /* in the payload */
} EchoHloField;

typedef struct EchoHloStruct {
  const char *mnemonic;
  EchoHloAttrKind kind;
  bool prints_all; /* zeros and empty lists too */
  const EchoHloField *fields;
  size_t n_fields;
} EchoHloStruct;

extern const EchoHloStruct ECHO_HLO_STRUCTS[];
extern const size_t ECHO_HLO_N_STRUCTS;

typedef struct EchoHloEnum {
  const char *mnemonic;
  EchoHloAttrKind kind;
  const char *const *words; /* NULL-terminated; NULL data of a word number = "" */
} EchoHloEnum;

extern const EchoHloEnum ECHO_HLO_ENUMS[];
extern const size_t ECHO_HLO_N_ENUMS;

/* Enumeration by kind; words by number; number by word (-1 = none). */
const EchoHloEnum *echo_hlo_enum(EchoHloAttrKind kind);
int echo_hlo_enum_value(EchoHloAttrKind kind, EchoStr word);
/* #dialect<mnemonic WORD> */
const EchoAttr *echo_hlo_enum_attr(EchoContext *ctx, const char *dialect, EchoHloAttrKind kind,
                                   int value);
/* #stablehlo.mnemonic<fields> from a payload. */
const EchoAttr *echo_hlo_struct_attr(EchoContext *ctx, const EchoHloPayload *payload);
/* The same, convolutions included, of what a file says: NULL after an error at `loc` where
 * StableHLO has no such attribute. */
const EchoAttr *echo_hlo_input_attr_or_null(EchoContext *ctx, EchoLoc loc,
                                            const EchoHloPayload *payload);
/* "<field = …, …>" as the struct's own printer writes it. */
void echo_hlo_struct_print(EchoContext *ctx, const EchoHloPayload *payload, EchoBuffer *out);
/* "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]" */
void echo_hlo_conv_print(const EchoConvDims *dims, EchoBuffer *out);
/* Parses "field = …, … >" (without "<") of a struct out of `text` (which must end there), into
 * payload. */
bool echo_hlo_struct_parse(EchoContext *ctx, EchoLoc loc, const EchoHloStruct *info, EchoStr body,
                           EchoHloPayload *payload);
/* Parses the text of convolution dimension numbers. */
bool echo_hlo_conv_parse(EchoContext *ctx, EchoLoc loc, EchoStr text, EchoConvDims *dims);

/* Whether some hardware is known to support it: no attribute has another. */
bool echo_hlo_is_known_algorithm(const EchoDotAlgorithm *algorithm);

#endif
