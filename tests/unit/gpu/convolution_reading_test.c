/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Each way to read a convolution as one of a library's operations makes the same sums. */
#include "echo/echo.h"
#include "jit/runtime/cuda/convolution_t.h"
#include "tests/unit/suite.h"

enum { N_TRIED = 3000, MAX_ELEMENTS = 16384, RANK = ECHO_CONVOLUTION_RANK };

static uint64_t state = 1;

/* 0 .. n - 1 */
static int64_t draw(int64_t n)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int64_t)((state >> 33) % (uint64_t)n);
}

/* ---- convolutions ---- */

/* Dense, dimensions in any order; groups stand before one of the two that they are of. */
static void lay_out(const int64_t *sizes, size_t rank, EchoConvolutionOperand *operand,
                    uint32_t argument)
{
  size_t order[RANK];
  int64_t stride = 1;
  for (size_t i = 0; i < rank; i++)
    order[i] = i;
  for (size_t i = rank; i-- > 1;) {
    size_t k = (size_t)draw((int64_t)i + 1), kept = order[i];
    order[i] = order[k];
    order[k] = kept;
  }
  operand->argument = argument;
  operand->alignment = 64;
  for (size_t i = 0; i < rank; i++) {
    operand->strides[order[i]] = stride;
    stride *= sizes[order[i]];
  }
}

static void lay_out_all(EchoConvolution *c)
{
  int64_t sizes[RANK];
  size_t rank = 3 + c->n_spatial;
  echo_kernel_convolution_input_sizes(c, sizes);
  lay_out(sizes, rank, &c->input, 0);
  echo_kernel_convolution_window_sizes(c, sizes);
  lay_out(sizes, rank, &c->window, 1);
  echo_kernel_convolution_result_sizes(c, sizes);
  lay_out(sizes, rank, &c->out, 2);
}

/* False where it has no places. */
static bool draw_dim(EchoConvolutionDim *d)
{
  *d = (EchoConvolutionDim){.input = 1 + draw(6),
                            .window = 1 + draw(4),
                            .stride = 1 + draw(3),
                            .base_dilation = 1 + draw(3) * draw(2),
                            .window_dilation = 1 + draw(2),
                            .padding = draw(5) - 1};
  int64_t padded = (d->input - 1) * d->base_dilation + 1 + d->padding + draw(4);
  int64_t reach = (d->window - 1) * d->window_dilation + 1;
  d->result = padded < reach ? 0 : (padded - reach) / d->stride + 1;
  return d->result > 0;
}

static bool draw_convolution(EchoContext *ctx, EchoConvolution *c)
{
  *c = (EchoConvolution){.n_groups = 1 + draw(3) * draw(2),
                         .batch = 1 + draw(3),
                         .input_features = 1 + draw(3),
                         .features = 1 + draw(3),
                         .n_spatial = 1 + (size_t)draw(2),
                         .is_reversed = draw(2) != 0,
                         .factor = echo_type_float(ctx, ECHO_F64),
                         .result = echo_type_float(ctx, ECHO_F64)};
  for (size_t i = 0; i < c->n_spatial; i++)
    if (!draw_dim(&c->dims[i]))
      return false;
  lay_out_all(c);
  return true;
}

/* ---- sums ---- */

typedef double Values[3][MAX_ELEMENTS]; /* by argument */

static void fill(Values values)
{
  for (size_t a = 0; a < 2; a++)
    for (size_t i = 0; i < MAX_ELEMENTS; i++)
      values[a][i] = (double)(draw(17) - 8);
  memset(values[2], 0, sizeof values[2]);
}

/* Counts the n digits up; false after the last. */
static bool next(int64_t *digits, const int64_t *sizes, size_t n)
{
  for (size_t i = n; i-- > 0; digits[i] = 0)
    if (++digits[i] < sizes[i])
      return true;
  return false;
}

/* As dialects/kernel/convolution.h has it: g, b, f, i, places, places of the window. */
static void convolve(const EchoConvolution *c, Values values)
{
  size_t n = c->n_spatial;
  int64_t sizes[4 + 2 * 3] = {c->n_groups, c->batch, c->features, c->input_features};
  int64_t d[4 + 2 * 3] = {0};
  for (size_t i = 0; i < n; i++) {
    sizes[4 + i] = c->dims[i].result;
    sizes[4 + n + i] = c->dims[i].window;
  }
  do {
    int64_t in =
        d[0] * c->input.strides[0] + d[1] * c->input.strides[1] + d[3] * c->input.strides[2];
    int64_t of =
        d[0] * c->window.strides[0] + d[3] * c->window.strides[1] + d[2] * c->window.strides[2];
    int64_t out = d[0] * c->out.strides[0] + d[1] * c->out.strides[1] + d[2] * c->out.strides[2];
    bool is_there = true;
    for (size_t i = 0; i < n; i++) {
      const EchoConvolutionDim *dim = &c->dims[i];
      int64_t o = d[4 + i], t = d[4 + n + i];
      int64_t at = o * dim->stride + t * dim->window_dilation - dim->padding;
      is_there &= at >= 0 && at % dim->base_dilation == 0 && at / dim->base_dilation < dim->input;
      in += at / dim->base_dilation * c->input.strides[3 + i];
      of += (c->is_reversed ? dim->window - 1 - t : t) * c->window.strides[3 + i];
      out += o * c->out.strides[3 + i];
    }
    if (is_there)
      values[2][out] += values[0][in] * values[1][of];
  } while (next(d, sizes, 4 + 2 * n));
}

/* Of n, g k or g and k, c, y, w: an element of a tensor, whose channels are of all groups or of one
 * of them. */
static int64_t place_of(const EchoCudnnTensor *t, bool has_groups, size_t first, int64_t before,
                        int64_t g, int64_t channel, int64_t n_channels, const int64_t *places,
                        size_t n_places)
{
  int64_t at = first == 0 ? 0 : before * t->strides[0];
  size_t i = first;
  if (has_groups)
    at += g * t->strides[i++];
  at += (has_groups ? channel : g * n_channels + channel) * t->strides[i++];
  if (first == 0)
    at += before * t->strides[i++];
  for (size_t k = 0; k < n_places; k++)
    at += places[k] * t->strides[i + k];
  return at;
}

/* y = w * x; the one of them that is the result is made of the two others. */
static void convolve_read(const EchoConvolution *c, const EchoCudnnConvolution *r, Values values)
{
  size_t n = r->n_spatial, first = r->rank - n;
  bool has_groups = r->rank == n + 3;
  int64_t g_size = c->n_groups, n_size = r->x.dims[0], c_size = r->w.dims[first - 1];
  int64_t k_size = has_groups ? r->w.dims[1] : r->w.dims[0] / g_size;
  int64_t sizes[4 + 2 * 3] = {n_size, g_size, k_size, c_size}, d[4 + 2 * 3] = {0};
  for (size_t i = 0; i < n; i++) {
    sizes[4 + i] = r->y.dims[first + i];
    sizes[4 + n + i] = r->w.dims[first + i];
  }
  do {
    int64_t x[3], w[3];
    bool is_there = true;
    for (size_t i = 0; i < n; i++) {
      int64_t t = d[4 + n + i];
      x[i] = d[4 + i] * r->strides[i] + t * r->dilations[i] - r->padding_before[i];
      w[i] = r->is_convolution ? sizes[4 + n + i] - 1 - t : t;
      is_there &= x[i] >= 0 && x[i] < r->x.dims[first + i];
    }
    int64_t of_x = place_of(&r->x, has_groups, 1, d[0], d[1], d[3], c_size, x, n);
    int64_t of_w = place_of(&r->w, has_groups, 0, d[3], d[1], d[2], k_size, w, n);
    int64_t of_y = place_of(&r->y, has_groups, 1, d[0], d[1], d[2], k_size, d + 4, n);
    if (!is_there)
      continue;
    double *ax = &values[r->x.id - 1][of_x], *aw = &values[r->w.id - 1][of_w];
    double *ay = &values[r->y.id - 1][of_y];
    if (r->y.id == 3)
      *ay += *ax * *aw;
    else if (r->x.id == 3)
      *ax += *ay * *aw;
    else
      *aw += *ax * *ay;
  } while (next(d, sizes, 4 + 2 * n));
}

/* What the library asks of sizes. */
static void check_sizes(const EchoCudnnConvolution *r)
{
  size_t first = r->rank - r->n_spatial;
  for (size_t i = 0; i < r->n_spatial; i++) {
    int64_t room = r->x.dims[first + i] + r->padding_before[i] + r->padding_after[i] -
                   r->dilations[i] * (r->w.dims[first + i] - 1) - 1;
    ck_assert_int_ge(r->padding_before[i], 0);
    ck_assert_int_ge(r->padding_after[i], 0);
    ck_assert_int_ge(room, 0);
    ck_assert_int_eq(room / r->strides[i] + 1, r->y.dims[first + i]);
  }
  for (size_t i = 0; i < r->rank; i++) {
    ck_assert_int_gt(r->x.strides[i], 0);
    ck_assert_int_gt(r->w.strides[i], 0);
    ck_assert_int_gt(r->y.strides[i], 0);
  }
}

static EchoContext *ctx;

/* Integers, so that no order of theirs shows. */
START_TEST(readings_agree)
{
  static Values by_definition, read;
  size_t n_read[ECHO_N_CONVOLUTION_READINGS] = {0};
  for (int i = 0; i < N_TRIED; i++) {
    EchoConvolution c;
    EchoCudnnConvolution r;
    if (!draw_convolution(ctx, &c))
      continue;
    fill(by_definition);
    memcpy(read, by_definition, sizeof read);
    convolve(&c, by_definition);
    for (int k = 0; k < ECHO_N_CONVOLUTION_READINGS; k++) {
      if (!echo_convolution_read(&c, (EchoConvolutionReading)k, &r))
        continue;
      n_read[k]++;
      check_sizes(&r);
      memset(read[2], 0, sizeof read[2]);
      convolve_read(&c, &r, read);
      ck_assert_mem_eq(read[2], by_definition[2], sizeof read[2]);
    }
  }
  for (size_t k = 0; k < ECHO_N_CONVOLUTION_READINGS; k++)
    ck_assert_uint_gt(n_read[k], N_TRIED / 30);
}
END_TEST

START_TEST(what_it_is)
{
  EchoCudnnConvolution r;
  EchoConvolution c = {.n_groups = 1,
                       .batch = 2,
                       .input_features = 4,
                       .features = 6,
                       .n_spatial = 1,
                       .dims = {{8, 3, 8, 1, 1, 1, 1}},
                       .factor = echo_type_float(ctx, ECHO_F32),
                       .result = echo_type_float(ctx, ECHO_F32)};
  lay_out_all(&c);
  ck_assert(echo_convolution_read(&c, ECHO_READ_FORWARD, &r));
  ck_assert_uint_eq(r.n_spatial, 2); /* one dimension is the second of two */
  ck_assert_int_eq(r.x.dims[2], 1);
  ck_assert_int_eq(r.x.dims[3], 8);
  ck_assert(!r.is_convolution);
  c.is_reversed = true;
  ck_assert(echo_convolution_read(&c, ECHO_READ_FORWARD, &r));
  ck_assert(r.is_convolution);
  ck_assert(echo_convolution_read(&c, ECHO_READ_GRADIENT_OF_INPUT, &r));
  ck_assert(!r.is_convolution);
  ck_assert(!echo_convolution_read(&c, ECHO_READ_GRADIENT_OF_WINDOW, &r));
  c.dims[0].base_dilation = 2;
  ck_assert(!echo_convolution_read(&c, ECHO_READ_FORWARD, &r));
  c.dims[0] = (EchoConvolutionDim){8, 3, 5, 1, 1, 1, -1}; /* what is cut off is no padding */
  ck_assert(!echo_convolution_read(&c, ECHO_READ_FORWARD, &r));
}
END_TEST

static void set_up(void)
{
  ctx = echo_context_create();
}

static void tear_down(void)
{
  echo_context_destroy(ctx);
}

int main(void)
{
  Suite *suite = suite_create("convolution_reading");
  TCase *tests = tcase_create("convolution_reading");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, readings_agree);
  tcase_add_test(tests, what_it_is);
  suite_add_tcase(suite, tests);
  return echo_test_run(suite);
}
