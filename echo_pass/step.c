/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A function with its bodies: searched, then carried out. */
#include "echo_pass/step_t.h"

#include "echo_pass/bound_t.h"
#include "planning/swap/estimate.h"

/* What stands beside the arena whatever is decided, bodies left out: arguments, results of their
 * own, large constants. */
static uint64_t outside_bytes(const EchoGraph *graph, const EchoBlockInterface *interface)
{
  uint64_t bytes = echo_graph_constant_bytes(graph);
  for (uint32_t i = 0; i < graph->n_arguments; ++i)
    bytes += graph->values.data[i].bytes;
  const EchoGraphNode *end = &graph->nodes.data[graph->nodes.size - 1];
  for (uint32_t i = 0; i < end->n_operands; ++i)
    if (interface->result_targets[i] == ECHO_TO_OUTPUT)
      bytes += graph->values.data[graph->operands.data[end->first_operand + i]].bytes;
  return bytes;
}

EchoTaken echo_curve_on(const EchoCurve *curve)
{
  const EchoPoint *point = &curve->points.data[curve->best];
  uint64_t limit = curve->swap_limit_bytes, state = curve->state_bytes;
  return (EchoTaken){limit == UINT64_MAX ? point->peak_bytes
                     : limit > state     ? limit - state
                                         : 0,
                     point->ns + curve->swap_ns};
}

/* All that its arena may hold. */
static uint64_t room_of(const EchoCurve *curve)
{
  uint64_t peak_bytes = curve->points.data[curve->best].peak_bytes;
  return curve->swap_limit_bytes == UINT64_MAX ? peak_bytes : curve->swap_limit_bytes;
}

bool echo_step_create(EchoStep *step, EchoOp *function, const EchoSearchOptions *options,
                      EchoArena *scratch)
{
  *step = (EchoStep){.n_own = 1};
  EchoBody *own = &step->own[0];
  own->block = function->regions[0].first;
  echo_graph_create(&own->written, own->block);
  bool is_fine = echo_function_interface_create(&step->owner, function, &own->written) &&
                 echo_bodies_create(&step->bodies, function, options, scratch);
  own->interface = step->owner.interface;
  if (is_fine)
    echo_body_prepare(&step->bodies, own, options);
  return is_fine;
}

void echo_step_destroy(EchoStep *step)
{
  for (size_t i = 0; i < step->n_own; ++i)
    echo_body_destroy(&step->own[i]);
  echo_bodies_destroy(&step->bodies);
  echo_function_interface_destroy(&step->owner);
}

bool echo_step_next(EchoStep *step, EchoSearchOptions *options)
{
  const EchoBody *last = &step->own[step->n_own - 1];
  bool has_next = echo_body_prepare_next(&step->bodies, last, &step->own[step->n_own], options);
  step->n_own += has_next;
  return has_next;
}

void echo_step_decide(EchoStep *step, const EchoBody *own)
{
  echo_bodies_decide(&step->bodies, &own->candidates,
                     &own->curve.points.data[own->curve.best].choice);
}

size_t echo_step_rewrite(EchoStep *step, EchoBody *own, const EchoFusionOptions *fusion)
{
  size_t n_regions = echo_bodies_rewrite(&step->bodies, fusion);
  return n_regions + echo_body_rewrite(own, fusion);
}

/* What stands beside the arena of the whole step. */
static uint64_t step_outside_bytes(const EchoStep *step)
{
  return outside_bytes(&step->own[0].graph, &step->own[0].interface) +
         echo_bodies_constant_bytes(&step->bodies);
}

uint64_t echo_step_beside_bytes(const EchoStep *step, const EchoBody *own)
{
  return step_outside_bytes(step) - own->curve.state_bytes;
}

static uint64_t rest_of(uint64_t budget_bytes, uint64_t taken_bytes)
{
  return budget_bytes > taken_bytes ? budget_bytes - taken_bytes : 0;
}

bool echo_step_search(EchoStep *step, const EchoSearchOptions *options)
{
  EchoSearchOptions rest = *options;
  EchoBody *own = &step->own[step->n_own - 1];
  uint64_t outside = step_outside_bytes(step);
  uint64_t state = rest.allow_swap ? echo_swap_state_bytes(&own->graph, &own->interface) : 0;
  rest.swap_budget_bytes = rest_of(rest.budget_bytes, outside - state);
  rest.budget_bytes = rest_of(rest.budget_bytes, outside);
  if (rest.known_bytes != 0)
    rest.known_bytes = rest.known_bytes > outside ? rest.known_bytes - outside : 1;
  rest.n_ops = step->bodies.n_ops;
  rest.written = &own->written;
  return echo_search(&own->curve, &own->candidates, &own->interface, &rest);
}

bool echo_step_fits(const EchoStep *step, const EchoBody *own, const EchoSearchOptions *options)
{
  bool has_budget = options->goal == ECHO_GOAL_BUDGET;
  return own->curve.fits &&
         (!has_budget || options->budget_bytes >= echo_step_beside_bytes(step, own));
}

/* Of all that was searched. */
static uint64_t fastest_ns(const EchoStep *step)
{
  uint64_t ns = UINT64_MAX;
  for (size_t i = 0; i < step->n_own; ++i) {
    const EchoCurve *curve = &step->own[i].curve;
    for (size_t k = 0; k < curve->points.size; ++k)
      if (curve->points.data[k].ns < ns)
        ns = curve->points.data[k].ns;
  }
  return ns;
}

uint64_t echo_body_once_ns(const EchoBody *own, const EchoSearchOptions *options)
{
  const EchoPoint *best = &own->curve.points.data[own->curve.best];
  uint64_t again_ns = echo_bound_point_again_ns(&own->candidates, best, &own->interface, options);
  return best->ns > again_ns ? best->ns - again_ns : 0;
}

EchoTaken echo_step_bound(const EchoStep *step, const EchoBody *own, const EchoCurve *taken,
                          uint64_t once_ns, const EchoSearchOptions *options)
{
  EchoTaken on = echo_curve_on(taken);
  EchoBound bound =
      echo_bound_find(&own->candidates, &own->interface, options, room_of(taken), on.ns);
  uint64_t own_ns = echo_body_once_ns(own, options), seen_ns = fastest_ns(step);
  once_ns = own_ns < once_ns ? own_ns : once_ns;
  once_ns = seen_ns < once_ns ? seen_ns : once_ns;
  return (EchoTaken){bound.least_bytes, once_ns + bound.again_ns};
}
