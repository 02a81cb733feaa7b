/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Element types as PJRT numbers them. */
#include "pjrt/plugin_t.h"

uint64_t echo_pjrt_type_bytes(PJRT_Buffer_Type type)
{
  switch (type) {
  case PJRT_Buffer_Type_PRED:
  case PJRT_Buffer_Type_S8:
  case PJRT_Buffer_Type_U8:
  case PJRT_Buffer_Type_S4:
  case PJRT_Buffer_Type_U4:
  case PJRT_Buffer_Type_S2:
  case PJRT_Buffer_Type_U2:
  case PJRT_Buffer_Type_F8E5M2:
  case PJRT_Buffer_Type_F8E4M3FN:
  case PJRT_Buffer_Type_F8E4M3B11FNUZ:
  case PJRT_Buffer_Type_F8E5M2FNUZ:
  case PJRT_Buffer_Type_F8E4M3FNUZ:
  case PJRT_Buffer_Type_F8E4M3:
  case PJRT_Buffer_Type_F8E3M4:
  case PJRT_Buffer_Type_F8E8M0FNU:
  case PJRT_Buffer_Type_F4E2M1FN:
    return 1;
  case PJRT_Buffer_Type_S16:
  case PJRT_Buffer_Type_U16:
  case PJRT_Buffer_Type_F16:
  case PJRT_Buffer_Type_BF16:
    return 2;
  case PJRT_Buffer_Type_S32:
  case PJRT_Buffer_Type_U32:
  case PJRT_Buffer_Type_F32:
    return 4;
  case PJRT_Buffer_Type_S64:
  case PJRT_Buffer_Type_U64:
  case PJRT_Buffer_Type_F64:
  case PJRT_Buffer_Type_C64:
    return 8;
  case PJRT_Buffer_Type_C128:
    return 16;
  default:
    return 0;
  }
}

unsigned char echo_pjrt_type_bits(PJRT_Buffer_Type type)
{
  switch (type) {
  case PJRT_Buffer_Type_S2:
  case PJRT_Buffer_Type_U2:
    return 0x3;
  case PJRT_Buffer_Type_S4:
  case PJRT_Buffer_Type_U4:
  case PJRT_Buffer_Type_F4E2M1FN:
    return 0xf;
  default:
    return 0xff;
  }
}

static PJRT_Buffer_Type integer_type(const EchoType *type)
{
  bool is_unsigned = type->as.integer.signedness == ECHO_UNSIGNED;
  switch (type->as.integer.width) {
  case 1:
    return PJRT_Buffer_Type_PRED;
  case 2:
    return is_unsigned ? PJRT_Buffer_Type_U2 : PJRT_Buffer_Type_S2;
  case 4:
    return is_unsigned ? PJRT_Buffer_Type_U4 : PJRT_Buffer_Type_S4;
  case 8:
    return is_unsigned ? PJRT_Buffer_Type_U8 : PJRT_Buffer_Type_S8;
  case 16:
    return is_unsigned ? PJRT_Buffer_Type_U16 : PJRT_Buffer_Type_S16;
  case 32:
    return is_unsigned ? PJRT_Buffer_Type_U32 : PJRT_Buffer_Type_S32;
  case 64:
    return is_unsigned ? PJRT_Buffer_Type_U64 : PJRT_Buffer_Type_S64;
  default:
    return PJRT_Buffer_Type_INVALID;
  }
}

PJRT_Buffer_Type echo_pjrt_type_of(const EchoType *element)
{
  static const PJRT_Buffer_Type FLOATS[ECHO_N_FLOAT_KINDS] = {
      [ECHO_F4E2M1FN] = PJRT_Buffer_Type_F4E2M1FN,
      [ECHO_F8E3M4] = PJRT_Buffer_Type_F8E3M4,
      [ECHO_F8E4M3] = PJRT_Buffer_Type_F8E4M3,
      [ECHO_F8E4M3B11FNUZ] = PJRT_Buffer_Type_F8E4M3B11FNUZ,
      [ECHO_F8E4M3FN] = PJRT_Buffer_Type_F8E4M3FN,
      [ECHO_F8E4M3FNUZ] = PJRT_Buffer_Type_F8E4M3FNUZ,
      [ECHO_F8E5M2] = PJRT_Buffer_Type_F8E5M2,
      [ECHO_F8E5M2FNUZ] = PJRT_Buffer_Type_F8E5M2FNUZ,
      [ECHO_F8E8M0FNU] = PJRT_Buffer_Type_F8E8M0FNU,
      [ECHO_BF16] = PJRT_Buffer_Type_BF16,
      [ECHO_F16] = PJRT_Buffer_Type_F16,
      [ECHO_F32] = PJRT_Buffer_Type_F32,
      [ECHO_F64] = PJRT_Buffer_Type_F64,
  };
  switch (element->kind) {
  case ECHO_TYPE_INTEGER:
    return integer_type(element);
  case ECHO_TYPE_FLOAT:
    return FLOATS[element->as.float_kind];
  case ECHO_TYPE_COMPLEX:
    return echo_type_element_bytes(element) == 8    ? PJRT_Buffer_Type_C64
           : echo_type_element_bytes(element) == 16 ? PJRT_Buffer_Type_C128
                                                    : PJRT_Buffer_Type_INVALID;
  default:
    return PJRT_Buffer_Type_INVALID;
  }
}
