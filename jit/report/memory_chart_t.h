/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The chart of a memory report: live bytes by kind over the launches of a step, as SVG. Colours are
 * classes (k0, k1, …) that the page styles. Private to the report. */
#ifndef ECHO_JIT_REPORT_MEMORY_CHART_T_H
#define ECHO_JIT_REPORT_MEMORY_CHART_T_H

#include "jit/report/memory_timeline.h"

/* scale_bytes: what the vertical axis reaches to at least, so that two charts compare. */
void echo_memory_chart_svg(const EchoMemoryTimeline *timeline, uint64_t scale_bytes,
                           EchoBuffer *out);

/* With <, >, &, and quotes escaped. */
void echo_html_append_text(EchoBuffer *out, EchoStr text);

#endif
