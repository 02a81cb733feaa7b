/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/report/memory_chart_t.h"

/* The drawing, in SVG units. */
enum {
  WIDTH = 1000,
  HEIGHT = 320,
  LEFT = 78,
  RIGHT = 14,
  TOP = 22,
  BOTTOM = 52,
  PLOT_WIDTH = WIDTH - LEFT - RIGHT,
  PLOT_HEIGHT = HEIGHT - TOP - BOTTOM,
  MAX_COLUMNS = 400,
  PHASE_HEIGHT = 16
};

void echo_html_append_text(EchoBuffer *out, EchoStr text)
{
  for (size_t i = 0; i < text.size; i++)
    switch (text.data[i]) {
    case '<':
      echo_buffer_append_c(out, "&lt;");
      break;
    case '>':
      echo_buffer_append_c(out, "&gt;");
      break;
    case '&':
      echo_buffer_append_c(out, "&amp;");
      break;
    case '"':
      echo_buffer_append_c(out, "&quot;");
      break;
    default:
      echo_buffer_append_char(out, text.data[i]);
    }
}

static const char *const UNITS[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};

/* A round step of the axis, at most six to the top, in the unit that fits `max`. */
static double axis_step(double max, size_t *unit)
{
  static const double STEPS[] = {0.2, 0.5, 1, 2, 5, 10, 20, 50, 100};
  enum { N_STEPS = sizeof STEPS / sizeof STEPS[0] };
  double factor = 1;
  for (*unit = 0; max / factor >= 1000; (*unit)++)
    factor *= 1000;
  for (size_t i = 0; i < N_STEPS; i++)
    if (max / factor / STEPS[i] <= 6)
      return STEPS[i] * factor;
  return 200 * factor;
}

typedef struct Chart {
  const EchoMemoryTimeline *timeline;
  const uint64_t *bytes; /* sampled */
  size_t n_columns, n_steps;
  double max; /* top of the axis */
  EchoBuffer *out;
} Chart;

static double x_of(const Chart *chart, size_t column)
{
  return (double)LEFT + (double)column * (double)PLOT_WIDTH / (double)chart->n_columns;
}

static double y_of(const Chart *chart, double bytes)
{
  return (double)TOP + (double)PLOT_HEIGHT * (1 - bytes / chart->max);
}

/* Bytes of all kinds up to and without `kind`. */
static double below(const Chart *chart, size_t column, int kind)
{
  uint64_t sum = 0;
  for (int k = 0; k < kind; k++)
    sum += chart->bytes[column * ECHO_N_MEMORY_KINDS + (size_t)k];
  return (double)sum;
}

static void append_axis(const Chart *chart)
{
  size_t unit;
  double step = axis_step(chart->max, &unit), factor = 1;
  for (size_t i = 0; i < unit; i++)
    factor *= 1000;
  for (double at = 0; at <= chart->max * 1.0001; at += step) {
    double y = y_of(chart, at);
    echo_buffer_printf(chart->out,
                       "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text "
                       "x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.4g %s</text>\n",
                       LEFT, WIDTH - RIGHT, y, y, LEFT - 8, y + 4, at / factor,
                       at == 0 ? "" : UNITS[unit]);
  }
}

/* One band of the stack, as steps: its upper edge to the right, its lower edge back. */
static void append_band(const Chart *chart, int kind)
{
  EchoBuffer path = {0};
  bool is_empty = true;
  for (size_t c = 0; c < chart->n_columns; c++) {
    double y = y_of(chart, below(chart, c, kind + 1));
    is_empty &= chart->bytes[c * ECHO_N_MEMORY_KINDS + (size_t)kind] == 0;
    echo_buffer_printf(&path, c == 0 ? "M%.1f %.1fH%.1f" : "L%.1f %.1fH%.1f", x_of(chart, c), y,
                       x_of(chart, c + 1));
  }
  for (size_t c = chart->n_columns; c-- > 0;)
    echo_buffer_printf(&path, "L%.1f %.1fH%.1f", x_of(chart, c + 1),
                       y_of(chart, below(chart, c, kind)), x_of(chart, c));
  if (!is_empty)
    echo_buffer_printf(chart->out, "<path class=\"k%d\" d=\"%sZ\"/>\n", kind,
                       echo_buffer_c_str(&path));
  echo_buffer_destroy(&path);
}

/* The plan's own line: what the device hands out, gaps between buffers included. */
static void append_peak_line(const Chart *chart)
{
  double y = y_of(chart, (double)chart->timeline->planned_peak_bytes);
  echo_buffer_printf(chart->out,
                     "<line class=\"peak\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text "
                     "class=\"peaktext\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">planned peak ",
                     LEFT, WIDTH - RIGHT, y, y, WIDTH - RIGHT, y - 6);
  echo_buffer_append_bytes(chart->out, chart->timeline->planned_peak_bytes);
  echo_buffer_append_c(chart->out, "</text>\n");
}

static void append_phase(const Chart *chart, size_t begin, size_t end, const char *name)
{
  double scale = (double)PLOT_WIDTH / (double)chart->n_steps;
  double x = (double)LEFT + (double)begin * scale, width = (double)(end - begin) * scale;
  int y = HEIGHT - BOTTOM + 6;
  echo_buffer_printf(chart->out,
                     "<rect class=\"phase\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" "
                     "rx=\"3\"><title>%s: launches %zu to %zu</title></rect>",
                     x, y, width > 2 ? width - 1 : width, PHASE_HEIGHT, name, begin, end - 1);
  if (width > 60)
    echo_buffer_printf(chart->out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                       x + width / 2, y + 12, width > 140 || begin == 0 ? name : "backward");
  echo_buffer_append_char(chart->out, '\n');
}

static void append_phases(const Chart *chart)
{
  size_t cut = chart->timeline->first_backward;
  if (cut >= chart->n_steps)
    return;
  if (cut != 0)
    append_phase(chart, 0, cut, "forward");
  append_phase(chart, cut, chart->n_steps, "backward and update");
}

static void append_launch_axis(const Chart *chart)
{
  int y = HEIGHT - BOTTOM + 6 + PHASE_HEIGHT + 18;
  for (int i = 0; i <= 4; i++) {
    size_t step = (chart->n_steps - (chart->n_steps != 0)) * (size_t)i / 4;
    static const char *const ANCHORS[] = {"start", "middle", "middle", "middle", "end"};
    echo_buffer_printf(chart->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s%zu</text>\n",
                       LEFT + PLOT_WIDTH * i / 4, y, ANCHORS[i], i == 0 ? "launch " : "", step);
  }
}

/* What a pointer over a column is told. */
static void append_hits(const Chart *chart)
{
  for (size_t c = 0; c < chart->n_columns; c++) {
    echo_buffer_printf(chart->out,
                       "<rect class=\"hit\" x=\"%.1f\" y=\"%d\" width=\"%.2f\" height=\"%d\">"
                       "<title>launch %zu: ",
                       x_of(chart, c), TOP, (double)PLOT_WIDTH / (double)chart->n_columns,
                       PLOT_HEIGHT, c * chart->n_steps / chart->n_columns);
    echo_buffer_append_bytes(chart->out, (uint64_t)below(chart, c, ECHO_N_MEMORY_KINDS));
    for (int kind = ECHO_N_MEMORY_KINDS - 1; kind >= 0; kind--) {
      uint64_t bytes = chart->bytes[c * ECHO_N_MEMORY_KINDS + (size_t)kind];
      if (bytes == 0)
        continue;
      echo_buffer_printf(chart->out, "\n%s ", echo_memory_kind_name((EchoMemoryKind)kind));
      echo_buffer_append_bytes(chart->out, bytes);
    }
    echo_buffer_append_c(chart->out, "</title></rect>\n");
  }
}

void echo_memory_chart_svg(const EchoMemoryTimeline *timeline, uint64_t scale_bytes,
                           EchoBuffer *out)
{
  size_t n_steps = echo_memory_timeline_n_steps(timeline);
  size_t n_columns = n_steps > MAX_COLUMNS ? MAX_COLUMNS : n_steps != 0 ? n_steps : 1;
  uint64_t *bytes = echo_alloc_array(n_columns * ECHO_N_MEMORY_KINDS, sizeof *bytes);
  echo_memory_timeline_sample(timeline, n_columns, bytes);
  uint64_t top =
      scale_bytes > timeline->planned_peak_bytes ? scale_bytes : timeline->planned_peak_bytes;
  Chart chart = {timeline, bytes, n_columns, n_steps, top != 0 ? (double)top * 1.04 : 1, out};
  echo_buffer_printf(out,
                     "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"live bytes over the "
                     "launches of a step\">\n",
                     WIDTH, HEIGHT);
  append_axis(&chart);
  for (int kind = 0; kind < ECHO_N_MEMORY_KINDS; kind++)
    append_band(&chart, kind);
  append_peak_line(&chart);
  append_phases(&chart);
  append_launch_axis(&chart);
  append_hits(&chart);
  echo_buffer_append_c(out, "</svg>\n");
  echo_free(bytes);
}
