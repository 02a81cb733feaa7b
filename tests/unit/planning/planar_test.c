/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Planar embedding: the two graphs of Kuratowski, random dissections whose networks are planar by
 * construction, and the same with an edge between far ends. Faces are checked by Euler's formula
 * and by their boundaries. */
#include "planning/offsets/planar_t.h"

#include <check.h>
#include <stdlib.h>

static uint64_t random_state = 7;

static uint32_t next_below(uint32_t n)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)(random_state % n);
}

/* True when planar; then the faces must be as many as Euler says. */
static bool embed(uint32_t n_vertices, const EchoPlanarEdge *edges, uint32_t n_edges)
{
  EchoArena arena = {0};
  EchoPlanarSides *sides = ECHO_ARENA_ARRAY(&arena, EchoPlanarSides, n_edges);
  uint32_t n_faces = 0;
  bool is_planar = echo_planar_embed(n_vertices, edges, n_edges, &arena, sides, &n_faces);
  if (is_planar) {
    ck_assert_uint_eq(n_faces + n_vertices, n_edges + 2);
    for (uint32_t e = 0; e < n_edges; e++) {
      ck_assert_uint_lt(sides[e].forward, n_faces);
      ck_assert_uint_lt(sides[e].backward, n_faces);
      ck_assert_uint_ne(sides[e].forward, sides[e].backward);
    }
  }
  echo_arena_destroy(&arena);
  return is_planar;
}

START_TEST(kuratowski)
{
  EchoPlanarEdge complete[10], bipartite[9];
  uint32_t n = 0;
  for (uint32_t a = 0; a < 5; a++)
    for (uint32_t b = a + 1; b < 5; b++)
      complete[n++] = (EchoPlanarEdge){a, b};
  ck_assert(!embed(5, complete, 10));
  ck_assert(embed(5, complete, 9)); /* one edge less */
  n = 0;
  for (uint32_t a = 0; a < 3; a++)
    for (uint32_t b = 3; b < 6; b++)
      bipartite[n++] = (EchoPlanarEdge){a, b};
  ck_assert(!embed(6, bipartite, 9));
  ck_assert(embed(6, bipartite, 8));
}
END_TEST

START_TEST(parallel_edges)
{
  const EchoPlanarEdge edges[] = {{0, 1}, {1, 0}, {0, 1}, {0, 2}, {2, 1}};
  ck_assert(embed(2, edges, 2));
  ck_assert(embed(2, edges, 3));
  ck_assert(embed(3, edges, 5));
}
END_TEST

/* A grid with diagonals all one way, edges shuffled: planar; with its opposite corners' neighbours
 * joined twice across, not. */
START_TEST(grids)
{
  for (uint32_t round = 0; round < 40; round++) {
    uint32_t w = 3 + next_below(10), h = 3 + next_below(10), n = 0;
    EchoPlanarEdge edges[500];
    for (uint32_t y = 0; y < h; y++)
      for (uint32_t x = 0; x < w; x++) {
        if (x + 1 < w)
          edges[n++] = (EchoPlanarEdge){y * w + x, y * w + x + 1};
        if (y + 1 < h)
          edges[n++] = (EchoPlanarEdge){y * w + x, y * w + w + x};
        if (x + 1 < w && y + 1 < h && next_below(2) == 0)
          edges[n++] = (EchoPlanarEdge){y * w + x, y * w + w + x + 1};
      }
    for (uint32_t e = n; e-- > 1;) {
      uint32_t other = next_below(e + 1);
      EchoPlanarEdge swap = edges[e];
      edges[e] = edges[other];
      edges[other] = swap;
    }
    ck_assert(embed(w * h, edges, n));
    edges[n++] = (EchoPlanarEdge){w + 1, w * h - w - 2}; /* two inner vertices far apart */
    edges[n++] = (EchoPlanarEdge){0, w * h - 1};
    edges[n++] = (EchoPlanarEdge){w - 1, w * h - w};
    ck_assert(!embed(w * h, edges, n));
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("planar");
  TCase *tests = tcase_create("planar");
  tcase_add_test(tests, kuratowski);
  tcase_add_test(tests, parallel_edges);
  tcase_add_test(tests, grids);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
