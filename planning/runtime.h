/* How long a block takes by the device model: for each kernel the longer of its arithmetic and its
 * traffic, and a launch. The invariant: equal graphs and models give equal times, bit for bit. Not
 * a measurement. */
#ifndef ECHO_PLANNING_RUNTIME_H
#define ECHO_PLANNING_RUNTIME_H

#include "planning/fusion.h"

/* Rates of a device; a default stands for a few cores of a server CPU. */
typedef struct EchoRates {
  double flops_per_second;        /* contractions and convolutions */
  double simple_flops_per_second; /* elementwise arithmetic */
  double transcendentals_per_second;
  double bytes_per_second;
  double launch_seconds;
} EchoRates;

EchoRates echo_rates_default(void);

/* Seconds of one node by itself, its traffic left out: what recomputing it inside another kernel
 * takes. */
double echo_node_seconds(const EchoGraph *graph, uint32_t node, const EchoRates *rates);
double echo_group_seconds(const EchoGraph *graph, const EchoFusion *fusion, uint32_t group,
                          const EchoRates *rates);
/* The whole block. O(members + inputs). */
double echo_fusion_seconds(const EchoGraph *graph, const EchoFusion *fusion,
                           const EchoRates *rates);

#endif
