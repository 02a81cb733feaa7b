/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A picture of a plan: a rectangle a block, time to the right, bytes upwards, the load as a line.
 */
#include <inttypes.h>

#include "base/map.h"
#include "tools/echo-plan/commands.h"

#define WIDTH 1200.0
#define HEIGHT 700.0
#define MARGIN 40.0

typedef struct Scale {
  double first_time, x_per_time, y_per_byte;
} Scale;

static double x_of(const Scale *scale, int64_t time)
{
  return MARGIN + ((double)time - scale->first_time) * scale->x_per_time;
}

static double y_of(const Scale *scale, uint64_t bytes)
{
  return MARGIN + HEIGHT - (double)bytes * scale->y_per_byte;
}

static void append_escaped(EchoBuffer *svg, EchoStr text)
{
  for (size_t i = 0; i < text.size; i++) {
    char c = text.data[i];
    if (c == '<' || c == '>' || c == '&' || c == '"')
      echo_buffer_printf(svg, "&#%d;", c);
    else if ((unsigned char)c >= 32)
      echo_buffer_append_char(svg, c);
  }
}

static void draw_stay(const Scale *scale, const EchoOffsetBlock *block, EchoStr id, uint64_t offset,
                      int64_t lower, int64_t upper, EchoBuffer *svg)
{
  if (lower >= upper || block->size_bytes == 0)
    return;
  uint64_t hue = echo_hash_bytes(id.data, id.size, 0) % 360;
  double x = x_of(scale, lower), y = y_of(scale, offset + block->size_bytes);
  echo_buffer_printf(svg,
                     "<rect x=\"%.3f\" y=\"%.3f\" width=\"%.3f\" height=\"%.3f\" "
                     "fill=\"hsl(%" PRIu64 ",60%%,70%%)\"><title>",
                     x, y, x_of(scale, upper) - x, y_of(scale, offset) - y, hue);
  append_escaped(svg, id);
  echo_buffer_printf(
      svg, ": [%" PRId64 ", %" PRId64 "), %" PRIu64 " bytes at %" PRIu64 "</title></rect>\n", lower,
      upper, block->size_bytes, offset);
}

void plan_draw(const EchoOffsetBlock *blocks, const EchoStr *ids, size_t n_blocks,
               const uint64_t *offsets, const EchoOffsetResult *result, EchoBuffer *svg)
{
  int64_t first = INT64_MAX, last = INT64_MIN;
  for (size_t b = 0; b < n_blocks; b++) {
    const int64_t times[] = {blocks[b].lower, blocks[b].upper};
    for (int k = 0; k < 2; k++) {
      first = times[k] < first ? times[k] : first;
      last = times[k] > last ? times[k] : last;
    }
  }
  double duration = (double)last - (double)first;
  Scale scale = {(double)first, WIDTH / (duration > 0 ? duration : 1),
                 HEIGHT / (result->height_bytes > 0 ? (double)result->height_bytes : 1)};
  echo_buffer_printf(svg,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                     "font-family=\"sans-serif\" font-size=\"12\">\n"
                     "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
                     "<g stroke=\"#333\" stroke-width=\"0.3\">\n",
                     WIDTH + 2 * MARGIN, HEIGHT + 2 * MARGIN);
  for (size_t b = 0; b < n_blocks; b++) {
    const EchoOffsetBlock *block = &blocks[b];
    if (block->lower < block->upper) {
      draw_stay(&scale, block, ids[b], offsets[b], block->lower, block->upper, svg);
    } else { /* around the border */
      draw_stay(&scale, block, ids[b], offsets[b], first, block->upper, svg);
      draw_stay(&scale, block, ids[b], offsets[b], block->lower, last, svg);
    }
  }
  double y = y_of(&scale, result->load_bytes);
  echo_buffer_printf(svg,
                     "</g>\n<line x1=\"%.1f\" y1=\"%.3f\" x2=\"%.1f\" y2=\"%.3f\" stroke=\"red\" "
                     "stroke-dasharray=\"6 3\"/>\n"
                     "<text x=\"%.1f\" y=\"%.1f\">height %" PRIu64 " bytes, load %" PRIu64
                     " bytes (dashed), time %" PRId64 " to %" PRId64 "</text>\n</svg>\n",
                     MARGIN, y, MARGIN + WIDTH, y, MARGIN, MARGIN - 14, result->height_bytes,
                     result->load_bytes, first, last);
}
