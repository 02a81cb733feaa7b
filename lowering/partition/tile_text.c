/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* GSPMD's text of a sharding:
 *
 *   {replicated}  {manual}  {unreduced}  {maximal device=3}  {{replicated}, …} (its first)
 *   {devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}
 *   {devices=[2,4,1]<=[4,2]T(1,0) last_tile_dims={manual, replicated}}
 *
 * Tiles in row-major order, each with its device. Where the devices along each dimension are what
 * axes of the processes give, those are the parts; else parts are of places, and the devices the
 * order of them. */
#include <stdlib.h>
#include <string.h>

#include "lowering/partition/shardings_t.h"

typedef ECHO_VECTOR(int64_t) Numbers;

typedef struct Tiles {
  Numbers dims;    /* of all tile dimensions */
  Numbers devices; /* by place */
  Numbers kinds;   /* of the last dimensions: 'r'eplicated, 'm'anual, 'u'nreduced */
} Tiles;

/* ---- reading ---- */

/* "2,1,4" up to what is no number; false where there is none. */
static bool read_numbers(const char **text, Numbers *numbers)
{
  numbers->size = 0;
  while (**text >= '0' && **text <= '9') {
    char *end;
    echo_vector_push(numbers, strtoll(*text, &end, 10));
    *text = end + (*end == ',' && end[1] >= '0' && end[1] <= '9');
  }
  return numbers->size != 0;
}

static bool skip(const char **text, const char *word)
{
  size_t n = strlen(word);
  if (strncmp(*text, word, n) != 0)
    return false;
  *text += n;
  return true;
}

/* The product; 0: not below 2^31, or not above zero. */
static int64_t product(const Numbers *numbers)
{
  int64_t all = 1;
  for (size_t i = 0; i < numbers->size; i++)
    if (numbers->data[i] < 1 || numbers->data[i] > INT32_MAX / all)
      return 0;
    else
      all *= numbers->data[i];
  return all;
}

/* "<=[4,2]T(1,0)": the devices of a box of that shape with its dimensions in another order. */
static bool read_iota(const char **text, int64_t n, Numbers *devices)
{
  Numbers shape = {0}, order = {0};
  bool ok = skip(text, "[") && read_numbers(text, &shape) && skip(text, "]") &&
            product(&shape) == n && shape.size <= ECHO_MAX_RANK;
  bool is_transposed = ok && skip(text, "T(");
  if (is_transposed)
    ok = read_numbers(text, &order) && skip(text, ")") && order.size == shape.size &&
         echo_order_fits(order.data, order.size);
  int64_t strides[ECHO_MAX_RANK] = {0}, all = 1;
  for (size_t d = shape.size; ok && d-- > 0; all *= shape.data[d])
    strides[d] = all;
  for (int64_t place = 0; ok && place < n; place++) {
    int64_t rest = place, device = 0;
    for (size_t k = shape.size; k-- > 0;) {
      size_t d = is_transposed ? (size_t)order.data[k] : k;
      device += rest % shape.data[d] * strides[d];
      rest /= shape.data[d];
    }
    echo_vector_push(devices, device);
  }
  echo_vector_destroy(&shape);
  echo_vector_destroy(&order);
  return ok;
}

static bool read_kinds(const char **text, Numbers *kinds)
{
  if (skip(text, " last_tile_dim_replicate"))
    echo_vector_push(kinds, 'r');
  else if (skip(text, " last_tile_dims={"))
    while (**text != '}') {
      if (**text == '\0')
        return false;
      echo_vector_push(kinds, **text);
      *text += strcspn(*text, ",}");
      *text += strspn(*text, ", ");
    }
  else
    return **text == '}';
  *text += **text == '}' && (*text)[1] == '}';
  return **text == '}';
}

static bool read_tiles(const char *text, int64_t n, Tiles *tiles)
{
  if (!skip(&text, "{devices=[") || !read_numbers(&text, &tiles->dims) || !skip(&text, "]") ||
      product(&tiles->dims) != n)
    return false;
  bool ok = skip(&text, "<=") ? read_iota(&text, n, &tiles->devices)
                              : read_numbers(&text, &tiles->devices);
  return ok && (int64_t)tiles->devices.size == n &&
         echo_order_fits(tiles->devices.data, tiles->devices.size) &&
         read_kinds(&text, &tiles->kinds) && tiles->kinds.size <= tiles->dims.size;
}

/* ---- as axes ---- */

/* Along a dimension of `size` places, `step` apart: the axes that make its devices, the slowest
 * first, or false. */
static bool find_axes(const Tiles *tiles, int64_t step, int64_t size, Numbers *axes)
{
  const int64_t *devices = tiles->devices.data, first = devices[0];
  Numbers found = {0}; /* the fastest first */
  bool ok = true;
  for (int64_t done = 1; ok && done < size;) {
    int64_t stride = devices[done * step] - first, n = 2;
    while (done * n < size && devices[done * n * step] - first == stride * n)
      n++;
    ok = stride > 0 && size % (done * n) == 0;
    for (int64_t i = 0; ok && i < done * n; i++)
      ok = devices[i * step] - first == devices[i % done * step] - first + i / done * stride;
    echo_vector_push(&found, stride);
    echo_vector_push(&found, n);
    done *= n;
  }
  for (size_t i = found.size; ok && i > 0; i -= 2) {
    echo_vector_push(axes, found.data[i - 2]);
    echo_vector_push(axes, found.data[i - 1]);
  }
  echo_vector_destroy(&found);
  return ok;
}

/* Whether each device is the sum of what the dimensions make of it. */
static bool is_sum_of_dims(const Tiles *tiles)
{
  const int64_t *devices = tiles->devices.data;
  for (size_t place = 0; place < tiles->devices.size; place++) {
    int64_t rest = (int64_t)place, step = 1, device = 0;
    for (size_t d = tiles->dims.size; d-- > 0; step *= tiles->dims.data[d]) {
      device += devices[rest % tiles->dims.data[d] * step];
      rest /= tiles->dims.data[d];
    }
    if (device != devices[place])
      return false;
  }
  return devices[0] == 0;
}

/* As ECHO_PARTS has it; false where no axes of the processes do it. */
static bool append_parts(const Tiles *tiles, Numbers *numbers)
{
  size_t n_cut = tiles->dims.size - tiles->kinds.size;
  bool ok = is_sum_of_dims(tiles);
  int64_t step = product(&tiles->dims);
  for (size_t d = 0; ok && d < tiles->dims.size; d++) {
    step /= tiles->dims.data[d];
    bool is_sum = d >= n_cut && tiles->kinds.data[d - n_cut] == 'u';
    if ((d >= n_cut && !is_sum) || (is_sum && tiles->dims.data[d] == 1))
      continue;
    size_t count = numbers->size;
    echo_vector_push(numbers, 0);
    ok = find_axes(tiles, step, tiles->dims.data[d], numbers);
    numbers->data[count] = (int64_t)(numbers->size - count - 1) / 2 * (is_sum ? -1 : 1);
  }
  return ok;
}

/* ---- all of it ---- */

static const EchoAttr *parts_of_tiles(EchoContext *ctx, Tiles *tiles, const EchoAttr **order)
{
  Numbers numbers = {0};
  if (!append_parts(tiles, &numbers)) { /* parts of places, which devices stand at */
    *order = echo_attr_i64_array(ctx, tiles->devices.data, tiles->devices.size);
    for (size_t i = 0; i < tiles->devices.size; i++)
      tiles->devices.data[i] = (int64_t)i;
    numbers.size = 0;
    append_parts(tiles, &numbers);
  }
  const EchoAttr *parts = echo_attr_i64_array(ctx, numbers.data, numbers.size);
  echo_vector_destroy(&numbers);
  return parts;
}

const EchoAttr *echo_parts_of_text_or_null(EchoContext *ctx, EchoStr sharding, size_t rank,
                                           int64_t n, const EchoAttr **order)
{
  const EchoAttr *parts = NULL;
  Tiles tiles = {0};
  EchoBuffer text = {0};
  *order = NULL;
  echo_buffer_append_str(&text, sharding);
  const char *at = echo_buffer_c_str(&text);
  at += at[0] == '{' && at[1] == '{'; /* of a tuple of one */
  if (strncmp(at, "{replicated}", 12) == 0 || strncmp(at, "{manual}", 8) == 0 ||
      strncmp(at, "{maximal device=", 16) == 0) {
    parts = echo_attr_i64_array(ctx, NULL, 0);
  } else if (strncmp(at, "{unreduced}", 11) == 0) {
    const int64_t sum[] = {-1, 1, n};
    parts = echo_attr_i64_array(ctx, sum, 3);
  } else if (read_tiles(at, n, &tiles) && tiles.dims.size - tiles.kinds.size == rank) {
    parts = parts_of_tiles(ctx, &tiles, order);
  }
  echo_buffer_destroy(&text);
  echo_vector_destroy(&tiles.dims);
  echo_vector_destroy(&tiles.devices);
  echo_vector_destroy(&tiles.kinds);
  return parts;
}
