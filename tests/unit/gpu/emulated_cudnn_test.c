/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The cuDNN of the tests refuses what NVIDIA's does, in the same words: run with the path of the
 * latter (LD_LIBRARY_PATH), this test holds too. */
#include <dlfcn.h>
#include <string.h>

#include "jit/runtime/cuda/cudnn_abi_t.h"
#include "tests/unit/suite.h"

#define MEMBER(type, name, symbol, parameters) static type(*name) parameters;
ECHO_CUDNN_CALLS(MEMBER)
#undef MEMBER

static void find(void *library, const char *symbol, void *function)
{
  void *address = dlsym(library, symbol);
  ck_assert_ptr_nonnull(address);
  memcpy(function, &address, sizeof address);
}

#define FIND(type, name, symbol, parameters) find(library, #symbol, &name);

static void set_up(void)
{
  void *library = dlopen("libcudnn.so.9", RTLD_NOW | RTLD_LOCAL);
  ck_assert_msg(library != NULL, "%s", dlerror());
  ECHO_CUDNN_CALLS(FIND)
}

/* ---- descriptors ---- */

static cudnnBackendDescriptor_t make(cudnnBackendDescriptorType_t type)
{
  cudnnBackendDescriptor_t made = NULL;
  ck_assert_int_eq(descriptor_create(type, &made), CUDNN_STATUS_SUCCESS);
  return made;
}

static cudnnStatus_t set_ints(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                              int64_t n, const int64_t *values)
{
  return attribute_set(descriptor, name, CUDNN_TYPE_INT64, n, values);
}

static cudnnStatus_t set_int(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                             int64_t value)
{
  return set_ints(descriptor, name, 1, &value);
}

static cudnnStatus_t set_descriptor(cudnnBackendDescriptor_t descriptor,
                                    cudnnBackendAttributeName_t name,
                                    cudnnBackendDescriptor_t value)
{
  return attribute_set(descriptor, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &value);
}

typedef struct Tensor {
  int64_t dims[5], strides[5], n, alignment;
  int data_type;
} Tensor;

/* Finalizes it with that; *made where it is not NULL becomes it, else it is destroyed. */
static cudnnStatus_t finalize_tensor(const Tensor *t, int64_t id, cudnnBackendDescriptor_t *made)
{
  cudnnBackendDescriptor_t tensor = make(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  cudnnStatus_t status =
      attribute_set(tensor, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &t->data_type);
  if (status == CUDNN_STATUS_SUCCESS)
    status = set_ints(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS, t->n, t->dims);
  if (status == CUDNN_STATUS_SUCCESS)
    status = set_ints(tensor, CUDNN_ATTR_TENSOR_STRIDES, t->n, t->strides);
  if (status == CUDNN_STATUS_SUCCESS)
    status = set_int(tensor, CUDNN_ATTR_TENSOR_UNIQUE_ID, id);
  if (status == CUDNN_STATUS_SUCCESS)
    status = set_int(tensor, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, t->alignment);
  if (status == CUDNN_STATUS_SUCCESS)
    status = descriptor_finalize(tensor);
  if (made != NULL)
    *made = tensor;
  else
    ck_assert_int_eq(descriptor_destroy(tensor), CUDNN_STATUS_SUCCESS);
  return status;
}

static const Tensor X = {{2, 4, 9, 8}, {288, 1, 32, 4}, 4, 16, CUDNN_DATA_FLOAT};
static const Tensor W = {{6, 4, 3, 3}, {1, 6, 72, 24}, 4, 16, CUDNN_DATA_FLOAT};
static const Tensor Y = {{2, 6, 9, 8}, {432, 1, 48, 6}, 4, 16, CUDNN_DATA_FLOAT};

typedef struct Window {
  int64_t n, strides[2], dilations[2], before[2], after[2], n_dilations;
} Window;

static const Window WINDOW = {2, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 2};

static cudnnStatus_t finalize_convolution(const Window *w, cudnnBackendDescriptor_t *made)
{
  const int type = CUDNN_DATA_FLOAT, mode = CUDNN_CROSS_CORRELATION;
  cudnnBackendDescriptor_t convolution = make(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  *made = convolution;
  cudnnStatus_t all[] = {
      set_int(convolution, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, w->n),
      attribute_set(convolution, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type),
      attribute_set(convolution, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1,
                    &mode),
      set_ints(convolution, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, 2, w->strides),
      set_ints(convolution, CUDNN_ATTR_CONVOLUTION_DILATIONS, w->n_dilations, w->dilations),
      set_ints(convolution, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, 2, w->before),
      set_ints(convolution, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, 2, w->after)};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (all[i] != CUDNN_STATUS_SUCCESS)
      return all[i];
  return descriptor_finalize(convolution);
}

static cudnnStatus_t finalize_operation(const Tensor *x, const Tensor *w, const Tensor *y,
                                        const Window *window)
{
  const float one = 1, zero = 0;
  const Tensor *tensors[] = {x, w, y};
  static const cudnnBackendAttributeName_t NAMES[] = {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                                                      CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                                                      CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y};
  cudnnBackendDescriptor_t of[3], convolution;
  cudnnBackendDescriptor_t operation = make(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
  ck_assert_int_eq(finalize_convolution(window, &convolution), CUDNN_STATUS_SUCCESS);
  ck_assert_int_eq(
      set_descriptor(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, convolution),
      CUDNN_STATUS_SUCCESS);
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(finalize_tensor(tensors[i], i + 1, &of[i]), CUDNN_STATUS_SUCCESS);
    ck_assert_int_eq(set_descriptor(operation, NAMES[i], of[i]), CUDNN_STATUS_SUCCESS);
  }
  ck_assert_int_eq(attribute_set(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
                                 CUDNN_TYPE_FLOAT, 1, &one),
                   CUDNN_STATUS_SUCCESS);
  ck_assert_int_eq(attribute_set(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA,
                                 CUDNN_TYPE_FLOAT, 1, &zero),
                   CUDNN_STATUS_SUCCESS);
  cudnnStatus_t status = descriptor_finalize(operation);
  descriptor_destroy(operation);
  descriptor_destroy(convolution);
  for (int i = 0; i < 3; i++)
    descriptor_destroy(of[i]);
  return status;
}

/* Refused, as parameters that are none. */
#define ASSERT_BAD(status) ck_assert_int_eq((status) / 1000, 2)
#define ASSERT_REFUSED(status) ck_assert_int_ne((status), CUDNN_STATUS_SUCCESS)

START_TEST(tensors)
{
  Tensor t = X;
  t.dims[2] = -1;
  ck_assert_int_eq(finalize_tensor(&X, 1, NULL), CUDNN_STATUS_SUCCESS);
  ASSERT_BAD(finalize_tensor(&t, 1, NULL));
  t = X;
  t.alignment = 6;
  ASSERT_BAD(finalize_tensor(&t, 1, NULL));
  t = X;
  t.data_type = 5; /* of a kind that is given up */
  ASSERT_REFUSED(finalize_tensor(&t, 1, NULL));
}
END_TEST

START_TEST(attributes)
{
  const int64_t dims[] = {2, 4, 9, 8};
  int64_t n = 0, read[4];
  cudnnBackendDescriptor_t tensor = make(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  /* none of its, not of this type, nothing there */
  ASSERT_REFUSED(set_int(tensor, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, 2));
  ASSERT_BAD(attribute_set(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_FLOAT, 4, dims));
  ASSERT_BAD(attribute_set(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 4, NULL));
  /* not all of it, not finalized */
  ASSERT_BAD(descriptor_finalize(tensor));
  ck_assert_int_eq(
      attribute_get(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 4, &n, read),
      CUDNN_STATUS_NOT_INITIALIZED);
  descriptor_destroy(tensor);
  /* finalized: it is read, and changes no more */
  ck_assert_int_eq(finalize_tensor(&X, 1, &tensor), CUDNN_STATUS_SUCCESS);
  ck_assert_int_eq(
      attribute_get(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 4, &n, read),
      CUDNN_STATUS_SUCCESS);
  ck_assert_int_eq(n, 4);
  ck_assert_mem_eq(read, dims, sizeof dims);
  ASSERT_BAD(set_int(tensor, CUDNN_ATTR_TENSOR_UNIQUE_ID, 2));
  descriptor_destroy(tensor);
}
END_TEST

START_TEST(convolutions)
{
  cudnnBackendDescriptor_t made;
  Window w = WINDOW;
  w.n_dilations = 1;
  ck_assert_int_eq(finalize_convolution(&WINDOW, &made), CUDNN_STATUS_SUCCESS);
  descriptor_destroy(made);
  ASSERT_BAD(finalize_convolution(&w, &made));
  descriptor_destroy(made);
  w = WINDOW;
  w.dilations[0] = 0;
  ASSERT_BAD(finalize_convolution(&w, &made));
  descriptor_destroy(made);
  w = WINDOW;
  w.strides[0] = 0;
  ASSERT_BAD(finalize_convolution(&w, &made));
  descriptor_destroy(made);
}
END_TEST

START_TEST(operations)
{
  Tensor other = Y;
  other.dims[2] = 8;
  Window w = WINDOW;
  w.after[0] = 2;
  ck_assert_int_eq(finalize_operation(&X, &W, &Y, &WINDOW), CUDNN_STATUS_SUCCESS);
  ASSERT_REFUSED(finalize_operation(&X, &W, &other, &WINDOW)); /* places */
  ASSERT_REFUSED(finalize_operation(&X, &W, &Y, &w));
  other = Y;
  other.dims[0] = 3;
  ASSERT_REFUSED(finalize_operation(&X, &W, &other, &WINDOW)); /* batch */
  other = Y;
  other.dims[1] = 7;
  ASSERT_REFUSED(finalize_operation(&X, &W, &other, &WINDOW)); /* features */
  other = W;
  other.dims[1] = 3;
  ASSERT_REFUSED(finalize_operation(&X, &other, &Y, &WINDOW)); /* groups that are none */
  cudnnBackendDescriptor_t operation = make(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
  cudnnBackendDescriptor_t tensor = make(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  ASSERT_BAD(descriptor_finalize(operation));
  descriptor_destroy(tensor);
  descriptor_destroy(operation);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("emulated_cudnn");
  TCase *tests = tcase_create("emulated_cudnn");
  tcase_add_checked_fixture(tests, set_up, NULL);
  tcase_add_test(tests, tensors);
  tcase_add_test(tests, attributes);
  tcase_add_test(tests, convolutions);
  tcase_add_test(tests, operations);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
