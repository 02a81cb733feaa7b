/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The memory of a step as one HTML page: live bytes over the program before and after Echo, what
 * stands at the peak by kind, and the largest values with their source lines. Self-contained:
 * inline SVG and CSS, no scripts, nothing is fetched. Light and dark. */
#ifndef ECHO_JIT_REPORT_MEMORY_REPORT_H
#define ECHO_JIT_REPORT_MEMORY_REPORT_H

#include "jit/report/memory_timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One more line of the head: "measured peak", "12.3 MB". */
typedef struct EchoMemoryFact {
  const char *name, *value;
} EchoMemoryFact;

typedef struct EchoMemoryReport {
  const char *title;
  const EchoMemoryTimeline *before; /* without Echo; NULL = there is only one plan */
  const EchoMemoryTimeline *after;
  double predicted_overhead; /* of time, as a fraction; shown with `before` */
  const EchoMemoryFact *facts;
  size_t n_facts;
} EchoMemoryReport;

/* Appends the page. A function of the plan alone: no dates, no paths beyond those of locations. */
void echo_memory_report_html(const EchoMemoryReport *report, EchoBuffer *out);

#ifdef __cplusplus
}
#endif

#endif
