/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/common/function.h"

#include <stdio.h>

void sample_function_begin(SampleFunction *f, EchoContext *ctx)
{
  *f = (SampleFunction){.ctx = ctx};
  EchoBuilder top = echo_builder_at_end(ctx, NULL);
  f->module = echo_build_op_with_regions(&top, "builtin.module", NULL, 0, NULL, 0, NULL, 0, 1);
  EchoBlock *module_body = echo_block_create(ctx);
  echo_region_append(&f->module->regions[0], module_body);
  EchoBuilder inside = echo_builder_at_end(ctx, module_body);
  const EchoAttrArg attrs[] = {
      {"sym_name", echo_attr_string(ctx, ECHO_STR("main"))},
      {"function_type", echo_attr_type(ctx, echo_type_function(ctx, NULL, 0, NULL, 0))}};
  f->function = echo_build_op_with_regions(&inside, "func.func", NULL, 0, NULL, 0, attrs, 2, 1);
  EchoBlock *body = echo_block_create(ctx);
  echo_region_append(&f->function->regions[0], body);
  f->builder = echo_builder_at_end(ctx, body);
}

void sample_function_end(SampleFunction *f, EchoValue *const *results, size_t n)
{
  echo_build_op(&f->builder, "func.return", results, n, NULL, 0, NULL, 0);
  const EchoType **types = echo_alloc_array(n + 1, sizeof *types);
  for (size_t i = 0; i < n; i++)
    types[i] = results[i]->type;
  echo_op_set_attr(f->function, "function_type",
                   echo_attr_type(f->ctx, echo_type_function(f->ctx, f->arg_types.data,
                                                             f->arg_types.size, types, n)));
  echo_op_set_attr(f->function, "arg_attrs",
                   echo_attr_array(f->ctx, f->arg_attrs.data, f->arg_attrs.size));
  echo_free(types);
  echo_vector_destroy(&f->arg_types);
  echo_vector_destroy(&f->arg_attrs);
}

static EchoLoc named_loc(EchoContext *ctx, const char *name)
{
  return echo_loc_from_attr(
      echo_attr_location_name(ctx, echo_str(name), echo_attr_location_unknown(ctx)));
}

EchoValue *sample_function_argument(SampleFunction *f, const EchoType *type, const char *role,
                                    const char *name, int64_t aliased_result)
{
  EchoContext *ctx = f->ctx;
  EchoNamedAttr attrs[3];
  size_t n = 0;
  if (name != NULL)
    attrs[n++] = (EchoNamedAttr){ECHO_STR("echo.name"), echo_attr_string(ctx, echo_str(name))};
  attrs[n++] = (EchoNamedAttr){ECHO_STR("echo.role"), echo_attr_string(ctx, echo_str(role))};
  if (aliased_result >= 0)
    attrs[n++] = (EchoNamedAttr){ECHO_STR("tf.aliasing_output"),
                                 echo_attr_i32(ctx, (int32_t)aliased_result)};
  echo_vector_push(&f->arg_types, type);
  echo_vector_push(&f->arg_attrs, echo_attr_dictionary(ctx, attrs, n));
  return echo_block_add_arg(ctx, f->builder.block, type,
                            name != NULL ? named_loc(ctx, name) : echo_loc_unknown());
}

void sample_function_enter_layer(SampleFunction *f, const char *part, int64_t number)
{
  char name[48];
  if (number < 0)
    snprintf(name, sizeof name, "%s", part);
  else
    snprintf(name, sizeof name, "%s.%d", part, (int)number);
  f->builder.loc = named_loc(f->ctx, name);
}

size_t sample_parameter_add(SampleParameters *parameters, const char *name, const EchoType *type,
                            double range, double center)
{
  SampleParameter p = {.type = type, .range = (float)range, .center = (float)center};
  snprintf(p.name, sizeof p.name, "%s", name);
  echo_vector_push(parameters, p);
  return parameters->size - 1;
}
