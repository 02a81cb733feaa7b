/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nets/images.h"

#include <math.h>

#include "samples/common/lines.h"
#include "samples/common/random.h"

/* So many are named, and no more: a file of another kind is wrong in every row. */
enum { MAX_ERRORS = 10 };

typedef struct Reader {
  NetImages *images;
  const NetConfig *config;
  const char *path;
  EchoBuffer *error;
  int n_errors;
} Reader;

/* The message's begin, "path:line:column: ". */
static void begin_error(Reader *reader, size_t line, size_t column)
{
  reader->n_errors++;
  echo_buffer_printf(reader->error, "%s%s:%zu:%zu: ", reader->error->size != 0 ? "\n" : "",
                     reader->path, line, column);
}

static size_t count_fields(EchoStr row)
{
  size_t n = 1;
  for (size_t i = 0; i < row.size; i++)
    n += row.data[i] == ',';
  return n;
}

/* The class, or -1 after a message. */
static int32_t read_class(Reader *reader, EchoStr field, size_t line, size_t column)
{
  int64_t value;
  if (echo_str_to_i64(field, &value) && value >= 0 && value < reader->config->classes)
    return (int32_t)value;
  begin_error(reader, line, column);
  echo_buffer_printf(reader->error, "'%.*s' is no class below --classes=%lld", ECHO_STR_ARG(field),
                     (long long)reader->config->classes);
  return -1;
}

/* Nothing of a row that is wrong is kept. */
static bool read_row(Reader *reader, EchoStr row, size_t line, size_t n_fields)
{
  size_t before = reader->images->values.size, at = 0;
  for (size_t i = 0; i < n_fields; i++) {
    const char *comma = memchr(row.data + at, ',', row.size - at);
    size_t end = comma != NULL ? (size_t)(comma - row.data) : row.size;
    EchoStr field = echo_str_trim((EchoStr){row.data + at, end - at});
    double value;
    if (i + 1 == n_fields) {
      int32_t class = read_class(reader, field, line, at + 1);
      if (class < 0)
        break;
      echo_vector_push(&reader->images->classes, class);
      return true;
    }
    if (!echo_str_to_f64(field, &value) || !isfinite(value)) {
      begin_error(reader, line, at + 1);
      echo_buffer_printf(reader->error, "'%.*s' is no number", ECHO_STR_ARG(field));
      break;
    }
    echo_vector_push(&reader->images->values, (float)value);
    at = end + 1;
  }
  reader->images->values.size = before;
  return false;
}

/* Fields of a row, one more than an image has values: 0 after a message where those of the first
 * row are neither gray images nor colored ones. */
static size_t find_fields(Reader *reader, EchoStr row)
{
  size_t n = count_fields(row), places = (size_t)(reader->config->image * reader->config->image);
  reader->images->channels = n == 3 * places + 1 ? 3 : 1;
  if (n == places + 1 || n == 3 * places + 1)
    return n;
  begin_error(reader, 1, 1);
  echo_buffer_printf(reader->error,
                     "%zu values, where images of --image=%lld have %zu or %zu and their class", n,
                     (long long)reader->config->image, places, 3 * places);
  return 0;
}

static void normalize(NetImages *images)
{
  double sum = 0, squares = 0, n = (double)images->values.size;
  for (size_t i = 0; i < images->values.size; i++)
    sum += (double)images->values.data[i];
  for (size_t i = 0; i < images->values.size; i++)
    squares += pow((double)images->values.data[i] - sum / n, 2);
  double scale = squares > 0 ? 1 / sqrt(squares / n) : 1;
  for (size_t i = 0; i < images->values.size; i++)
    images->values.data[i] = (float)(((double)images->values.data[i] - sum / n) * scale);
}

static void read_rows(Reader *reader, const SampleLineList *lines)
{
  size_t n_fields = lines->size != 0 ? find_fields(reader, lines->data[0]) : 0;
  for (size_t i = 0; i < lines->size && n_fields != 0 && reader->n_errors < MAX_ERRORS; i++) {
    size_t n = count_fields(lines->data[i]);
    if (n == n_fields) {
      read_row(reader, lines->data[i], i + 1, n_fields);
    } else {
      begin_error(reader, i + 1, 1);
      echo_buffer_printf(reader->error, "%zu values, where the first row has %zu", n, n_fields);
    }
  }
}

bool net_images_read(NetImages *images, const NetConfig *config, const char *path,
                     EchoBuffer *error)
{
  *images = (NetImages){0};
  SampleLines text;
  if (!sample_lines_read(path, &text, error))
    return false;
  Reader reader = {.images = images, .config = config, .path = path, .error = error};
  read_rows(&reader, &text.lines);
  if (text.lines.size == 0)
    echo_buffer_printf(error, "'%s' has no row", path);
  bool ok = text.lines.size != 0 && reader.n_errors == 0;
  sample_lines_destroy(&text);
  if (ok)
    normalize(images);
  else
    net_images_destroy(images);
  return ok;
}

void net_images_destroy(NetImages *images)
{
  echo_vector_destroy(&images->values);
  echo_vector_destroy(&images->classes);
}

void net_images_fill(const NetImages *images, const NetConfig *config, uint64_t seed, float *data,
                     int32_t *labels)
{
  int64_t places = config->image * config->image;
  for (int64_t b = 0; b < config->batch; b++) {
    size_t image = (size_t)(sample_hash(seed ^ (uint64_t)b) % images->classes.size);
    const float *values = images->values.data + image * (size_t)(places * images->channels);
    labels[b] = images->classes.data[image];
    for (int64_t i = 0; i < 3 * places; i++)
      data[b * 3 * places + i] = values[images->channels == 3 ? i : i / 3];
  }
}
