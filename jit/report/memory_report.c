/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/report/memory_report.h"

#include <stdlib.h>

#include "ir/text/text.h"
#include "jit/report/memory_chart_t.h"

enum { N_LARGEST = 24 };

static const char HEAD[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";

/* Temporaries, which Echo is about, have hues; what stands all the time is grey. */
static const char STYLE[] =
    "</title>\n<style>\n"
    ":root{color-scheme:light dark;--bg:#fbfbfa;--card:#fff;--ink:#1d2026;--soft:#5d6470;"
    "--line:#e2e4e8;--peak:#c2264b;\n"
    "--k0:#8d97a5;--k1:#a9b2bd;--k2:#c3c9d1;--k3:#d3d8de;--k4:#e1e5e9;--k5:#3b7dd8;--k6:#12a594;"
    "--k7:#ef8e2c;--k8:#9a6dd7}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#14161a;--card:#1c1f25;--ink:#e8eaee;"
    "--soft:#9aa2af;--line:#31363f;--peak:#ff6b8b;\n"
    "--k0:#6c7685;--k1:#596270;--k2:#49515d;--k3:#3c434e;--k4:#333943;--k5:#5b9bf0;--k6:#2cc0ae;"
    "--k7:#f5a650;--k8:#b391e6}}\n"
    "*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--ink);"
    "font:15px/1.5 system-ui,sans-serif}\n"
    "main{max-width:1080px;margin:0 auto;padding:28px 20px 60px}h1{font-size:22px;margin:0 0 4px;"
    "overflow-wrap:anywhere}\n"
    "h2{font-size:16px;margin:0 0 8px}p{color:var(--soft);margin:2px 0 14px}\n"
    ".tiles{display:flex;flex-wrap:wrap;gap:12px;margin:18px 0}.tile,.card{background:var(--card);"
    "border:1px solid var(--line);border-radius:10px}\n"
    ".tile{padding:10px 16px;min-width:min(150px,100%);flex:1 1 auto;overflow-wrap:anywhere}"
    ".tile b{display:block;font-size:21px;font-weight:650}.tile span{color:var(--soft);"
    "font-size:13px}\n"
    ".card{padding:16px 18px;margin:0 0 16px;overflow-x:auto}svg{display:block;width:100%;"
    "min-width:640px;height:auto}\n"
    "svg text{fill:var(--soft);font:12px system-ui,sans-serif}svg .peak{stroke:var(--peak);"
    "stroke-width:1.5;stroke-dasharray:5 4}\n"
    "svg .peaktext{fill:var(--peak);font-weight:600}svg .grid{stroke:var(--line)}"
    "svg .hit{fill:transparent}svg .hit:hover{fill:var(--ink);fill-opacity:.12}\n"
    "svg .phase{fill:var(--line)}.legend{display:flex;flex-wrap:wrap;gap:4px 16px;margin:0 0 12px;"
    "font-size:13px;color:var(--soft)}\n"
    ".legend i,td i{display:inline-block;width:11px;height:11px;border-radius:3px;"
    "margin-right:6px;vertical-align:-1px}\n"
    "table{border-collapse:collapse;width:100%;font-size:13.5px}th{color:var(--soft);"
    "font-weight:500;text-align:left}th,td{padding:5px 10px 5px 0;border-bottom:1px solid "
    "var(--line);vertical-align:top;white-space:nowrap}\n"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
    "code{font:12.5px ui-monospace,monospace}td code{white-space:nowrap}"
    ".src{color:var(--soft);display:block;max-width:460px;overflow:hidden;text-overflow:ellipsis;"
    "white-space:nowrap}\n"
    ".live{width:90px}.live svg{min-width:0;height:10px}details summary{cursor:pointer;"
    "font-weight:600}\n"
    ".k0{fill:var(--k0);background:var(--k0)}.k1{fill:var(--k1);background:var(--k1)}"
    ".k2{fill:var(--k2);background:var(--k2)}.k3{fill:var(--k3);background:var(--k3)}"
    ".k4{fill:var(--k4);background:var(--k4)}.k5{fill:var(--k5);background:var(--k5)}"
    ".k6{fill:var(--k6);background:var(--k6)}.k7{fill:var(--k7);background:var(--k7)}"
    ".k8{fill:var(--k8);background:var(--k8)}\n"
    "</style></head><body><main>\n";

/* ---- the head ---- */

static void append_tile(EchoBuffer *out, const char *value, const char *name)
{
  echo_buffer_append_c(out, "<div class=\"tile\"><b>");
  echo_html_append_text(out, echo_str(value));
  echo_buffer_append_c(out, "</b><span>");
  echo_html_append_text(out, echo_str(name));
  echo_buffer_append_c(out, "</span></div>\n");
}

static void append_bytes_tile(EchoBuffer *out, uint64_t bytes, const char *name)
{
  EchoBuffer text = {0};
  echo_buffer_append_bytes(&text, bytes);
  append_tile(out, echo_buffer_c_str(&text), name);
  echo_buffer_destroy(&text);
}

/* "−61 %" */
static void append_percent(EchoBuffer *out, double fraction)
{
  double percent = fraction * 100;
  const char *sign = percent > 0 ? "+" : percent < 0 ? "−" : "";
  double magnitude = percent < 0 ? -percent : percent;
  echo_buffer_printf(out, "%s%.*f %%", sign, magnitude < 10 ? 1 : 0, magnitude);
}

static void append_tiles(const EchoMemoryReport *report, EchoBuffer *out)
{
  uint64_t after = report->after->planned_peak_bytes;
  EchoBuffer text = {0};
  echo_buffer_append_c(out, "<div class=\"tiles\">\n");
  append_bytes_tile(out, after, report->before != NULL ? "planned peak with Echo" : "planned peak");
  if (report->before != NULL) {
    uint64_t before = report->before->planned_peak_bytes;
    append_bytes_tile(out, before, "planned peak without Echo");
    append_percent(&text, before != 0 ? (double)after / (double)before - 1 : 0);
    append_tile(out, echo_buffer_c_str(&text), "memory");
    echo_buffer_clear(&text);
    append_percent(&text, report->predicted_overhead);
    append_tile(out, echo_buffer_c_str(&text), "predicted time");
  } else {
    append_bytes_tile(out, report->after->arena_bytes, "of it temporaries");
    echo_buffer_printf(&text, "%zu", echo_memory_timeline_n_steps(report->after));
    append_tile(out, echo_buffer_c_str(&text), "kernel launches and copies");
  }
  for (size_t i = 0; i < report->n_facts; i++)
    append_tile(out, report->facts[i].value, report->facts[i].name);
  echo_buffer_append_c(out, "</div>\n");
  echo_buffer_destroy(&text);
}

static bool uses_kind(const EchoMemoryTimeline *timeline, EchoMemoryKind kind)
{
  for (size_t i = 0; timeline != NULL && i < timeline->values.size; i++)
    if (timeline->values.data[i].kind == kind)
      return true;
  return false;
}

static void append_legend(const EchoMemoryReport *report, EchoBuffer *out)
{
  echo_buffer_append_c(out, "<div class=\"legend\">");
  for (int kind = ECHO_N_MEMORY_KINDS - 1; kind >= 0; kind--)
    if (uses_kind(report->after, (EchoMemoryKind)kind) ||
        uses_kind(report->before, (EchoMemoryKind)kind))
      echo_buffer_printf(out, "<span><i class=\"k%d\"></i>%s</span>", kind,
                         echo_memory_kind_name((EchoMemoryKind)kind));
  echo_buffer_append_c(out, "</div>\n");
}

/* ---- by kind ---- */

static void append_kind_row(const EchoMemoryReport *report, EchoMemoryKind kind, EchoBuffer *out)
{
  uint64_t before = report->before != NULL ? report->before->peak_by_kind[kind] : 0;
  uint64_t after = report->after->peak_by_kind[kind];
  if (before == 0 && after == 0)
    return;
  echo_buffer_printf(out, "<tr><td><i class=\"k%d\"></i>%s</td>", (int)kind,
                     echo_memory_kind_name(kind));
  if (report->before != NULL) {
    echo_buffer_append_c(out, "<td class=\"n\">");
    echo_buffer_append_bytes(out, before);
    echo_buffer_append_c(out, "</td>");
  }
  echo_buffer_append_c(out, "<td class=\"n\">");
  echo_buffer_append_bytes(out, after);
  echo_buffer_append_c(out, "</td></tr>\n");
}

static void append_kinds(const EchoMemoryReport *report, EchoBuffer *out)
{
  bool has_both = report->before != NULL;
  echo_buffer_append_c(out, "<div class=\"card\"><h2>What is live at the peak</h2>\n<table><tr>"
                            "<th>kind</th>");
  echo_buffer_append_c(out, has_both ? "<th class=\"n\">without Echo</th><th class=\"n\">with "
                                       "Echo</th></tr>\n"
                                     : "<th class=\"n\">bytes</th></tr>\n");
  for (int kind = ECHO_N_MEMORY_KINDS - 1; kind >= 0; kind--)
    append_kind_row(report, (EchoMemoryKind)kind, out);
  echo_buffer_append_c(out, "<tr><th>together</th>");
  if (has_both) {
    echo_buffer_append_c(out, "<th class=\"n\">");
    echo_buffer_append_bytes(out, report->before->live_peak_bytes);
    echo_buffer_append_c(out, "</th>");
  }
  echo_buffer_append_c(out, "<th class=\"n\">");
  echo_buffer_append_bytes(out, report->after->live_peak_bytes);
  echo_buffer_append_c(out, "</th></tr>\n</table></div>\n");
}

/* ---- the largest values ---- */

static int compare_values(const void *a, const void *b)
{
  const EchoMemoryValue *x = *(const EchoMemoryValue *const *)a;
  const EchoMemoryValue *y = *(const EchoMemoryValue *const *)b;
  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return x < y ? -1 : x > y; /* one array: by position */
}

/* "decoder.0", "foo.py:12:3", and the line itself where the source is at hand. */
static void append_source(const EchoMemoryTimeline *timeline, EchoLoc loc, EchoBuffer *out)
{
  EchoStr file, line_text = echo_loc_source_line(timeline->ctx, loc);
  uint32_t line, column;
  EchoStr name = echo_loc_name(loc);
  if (name.size != 0) {
    echo_buffer_append_c(out, "<code class=\"layer\">");
    echo_html_append_text(out, name);
    echo_buffer_append_c(out, "</code> ");
  }
  if (!echo_loc_resolve(timeline->ctx, loc, &file, &line, &column))
    return;
  const char *slash = memrchr(file.data, '/', file.size);
  EchoStr short_name = file;
  if (slash != NULL)
    short_name = (EchoStr){slash + 1, file.size - (size_t)(slash + 1 - file.data)};
  echo_buffer_append_c(out, "<code>");
  echo_html_append_text(out, short_name);
  echo_buffer_printf(out, ":%u:%u</code>", line, column);
  while (line_text.size != 0 && *line_text.data == ' ') {
    line_text.data++;
    line_text.size--;
  }
  if (line_text.size == 0)
    return;
  enum { SHOWN = 160 };
  bool is_cut = line_text.size > SHOWN;
  line_text.size = is_cut ? SHOWN : line_text.size;
  echo_buffer_append_c(out, "<code class=\"src\">");
  echo_html_append_text(out, line_text);
  echo_buffer_append_c(out, is_cut ? "…</code>" : "</code>");
}

static void append_lifetime(const EchoMemoryTimeline *timeline, const EchoMemoryValue *value,
                            EchoBuffer *out)
{
  double n = (double)echo_memory_timeline_n_steps(timeline);
  double scale = n > 0 ? 90 / n : 90;
  double x = value->begin * scale, width = (double)(value->end - value->begin + 1) * scale;
  echo_buffer_printf(out,
                     "<td class=\"live\"><svg viewBox=\"0 0 90 10\"><title>launches %u to %u"
                     "</title><rect class=\"phase\" width=\"90\" height=\"10\" rx=\"2\"/><rect "
                     "class=\"k%d\" x=\"%.1f\" width=\"%.1f\" height=\"10\"/></svg></td>",
                     value->begin, value->end, (int)value->kind, x, width < 1 ? 1 : width);
}

/* "4x8xf32" */
static void append_shape(const EchoType *memref, EchoBuffer *out)
{
  for (size_t i = 0; i < echo_type_rank(memref); i++)
    echo_buffer_printf(out, "%lldx", (long long)echo_type_dim(memref, i));
  echo_print_type(echo_type_element(memref), out);
}

static void append_value(const EchoMemoryTimeline *timeline, const EchoMemoryValue *value,
                         EchoBuffer *out)
{
  EchoBuffer shape = {0};
  append_shape(value->type, &shape);
  echo_buffer_append_c(out, "<tr><td class=\"n\">");
  echo_buffer_append_bytes(out, value->bytes);
  echo_buffer_printf(out, "</td><td><i class=\"k%d\"></i>%s</td><td><code>", (int)value->kind,
                     echo_memory_kind_name(value->kind));
  echo_html_append_text(out, echo_buffer_str(&shape));
  echo_buffer_append_c(out, "</code></td>");
  append_lifetime(timeline, value, out);
  echo_buffer_append_c(out, "<td><code>");
  echo_html_append_text(out, value->maker);
  echo_buffer_append_c(out, "</code></td><td>");
  append_source(timeline, value->loc, out);
  echo_buffer_append_c(out, "</td></tr>\n");
  echo_buffer_destroy(&shape);
}

static void append_largest(const EchoMemoryTimeline *timeline, EchoBuffer *out)
{
  size_t n = timeline->values.size;
  const EchoMemoryValue **order = echo_alloc_array(n + 1, sizeof *order);
  for (size_t i = 0; i < n; i++)
    order[i] = &timeline->values.data[i];
  if (n != 0)
    qsort(order, n, sizeof *order, compare_values);
  echo_buffer_append_c(out, "<table><tr><th class=\"n\">bytes</th><th>kind</th><th>shape</th><th>"
                            "live</th><th>made by</th><th>source</th></tr>\n");
  for (size_t i = 0; i < n && i < N_LARGEST; i++)
    append_value(timeline, order[i], out);
  echo_buffer_append_c(out, "</table>\n");
  echo_free(order);
}

/* ---- the page ---- */

static void append_chart_card(const EchoMemoryTimeline *timeline, const char *heading,
                              uint64_t scale_bytes, EchoBuffer *out)
{
  echo_buffer_printf(out, "<div class=\"card\"><h2>%s</h2>\n", heading);
  echo_memory_chart_svg(timeline, scale_bytes, out);
  echo_buffer_append_c(out, "</div>\n");
}

void echo_memory_report_html(const EchoMemoryReport *report, EchoBuffer *out)
{
  if (report == NULL || report->after == NULL || out == NULL)
    return;
  bool has_both = report->before != NULL;
  uint64_t scale = report->after->planned_peak_bytes;
  if (has_both && report->before->planned_peak_bytes > scale)
    scale = report->before->planned_peak_bytes;
  echo_buffer_append_c(out, HEAD);
  echo_html_append_text(out, echo_str(report->title));
  echo_buffer_append_c(out, STYLE);
  echo_buffer_append_c(out, "<h1>Memory of ");
  echo_html_append_text(out, echo_str(report->title));
  echo_buffer_append_c(out, "</h1>\n<p>Bytes that one training step holds, launch by launch, as "
                            "planned before it runs.</p>\n");
  append_tiles(report, out);
  append_legend(report, out);
  if (has_both)
    append_chart_card(report->before, "Without Echo", scale, out);
  append_chart_card(report->after, has_both ? "With Echo" : "Memory over the step", scale, out);
  append_kinds(report, out);
  echo_buffer_printf(out, "<div class=\"card\"><h2>Largest values%s</h2>\n",
                     has_both ? " with Echo" : "");
  append_largest(report->after, out);
  echo_buffer_append_c(out, "</div>\n");
  if (has_both) {
    echo_buffer_append_c(out, "<div class=\"card\"><details><summary>Largest values without "
                              "Echo</summary>\n");
    append_largest(report->before, out);
    echo_buffer_append_c(out, "</details></div>\n");
  }
  echo_buffer_append_c(out, "</main></body></html>\n");
}
