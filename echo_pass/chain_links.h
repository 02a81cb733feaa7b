/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The chain of a network: the values through which everything passes on the way from its inputs to
 * its loss (articulation points), and what lies between two of them (a residual block is one link).
 * The invariant: link i is computed from the value of link i - 1, from values of its own, from what
 * is there anyway, and from values of earlier links that are held. Analysis only. */
#ifndef ECHO_ECHO_PASS_CHAIN_LINKS_H
#define ECHO_ECHO_PASS_CHAIN_LINKS_H

#include "base/string.h"
#include "echo_pass/candidates.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EchoChainLink {
  uint32_t value;      /* all that crosses to the next link */
  uint32_t first, end; /* what the link computes: values [first, end) of the chain's list */
  uint64_t read_bytes; /* of what the backward part reads of it, `value` left out */
  double ns;           /* of computing it */
  bool has_heavy;      /* a contraction or convolution */
  bool is_of_maps;     /* computed element by element from the value before */
  bool is_held;        /* its value must stay: links behind the next one read it */
} EchoChainLink;

typedef struct EchoChainLinks {
  EchoChainLink *links;
  uint32_t n_links;
  uint32_t n_network; /* links up to the last contraction or convolution: the others are the
                         loss */
  uint32_t *list;     /* candidates by link, each in an order of execution */
  uint32_t *link_of;  /* by value: its link; n_links behind the last; ECHO_NONE for what is no
                         candidate */
} EchoChainLinks;

typedef struct EchoChainOptions {
  bool merges; /* links of maps (bias, ReLU behind a convolution) are one with the link before */
  bool holds;  /* a link more than two parts of which read the value before it (a decoder, what the
                  encoder made) is taken apart as if that value were there anyway, which is held */
} EchoChainOptions;

/* Values that only the backward part reads belong to the link behind what they start from. O(nodes
 * + operands log operands). All of it lives in the candidates' scratch arena, until the caller
 * resets that. */
void echo_chain_links_create(EchoChainLinks *chain, const EchoCandidates *candidates,
                             const EchoChainOptions *options);
/* Whether a value is held. */
bool echo_chain_links_hold(const EchoChainLinks *chain);

/* The chain of @main as a table for echo-plan: "layer,bytes,cost", the input first, then the
 * network's layers; consecutive links of one named location are one layer, of which the last value
 * counts. Cost: predicted nanoseconds. The module stands at stage "step". False after an error. */
bool echo_chain_print(EchoOp *module, const EchoDeviceModel *device, EchoBuffer *out);

#ifdef __cplusplus
}
#endif

#endif
