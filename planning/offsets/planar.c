/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A cycle is embedded first. What is not yet embedded falls into fragments: single edges between
 * embedded vertices, and connected parts with the edges that attach them. A fragment can only go
 * into a face that has all its attachments. The fragment with the fewest such faces is taken; a
 * path through it between two attachments splits the face, and the rest of it falls into smaller
 * fragments. When some fragment has no face left, the graph is not planar; otherwise any choice of
 * face works out (that is the theorem). */
#include "planning/offsets/planar_t.h"

#include "base/panic.h"
#include "base/vector.h"

#include <string.h>

#define NONE UINT32_MAX

/* An edge with a direction: 2 * edge, plus 1 when walked against its own. */
typedef uint32_t Dart;

typedef struct Face {
  Dart *darts; /* a cycle; the head of each is the tail of the next */
  uint32_t n_darts;
  uint64_t *vertices; /* bit set */
} Face;

typedef struct Fragment {
  uint32_t *edges;
  uint32_t n_edges;
  uint32_t n_faces;      /* that admit it */
  uint64_t *attachments; /* bit set of embedded vertices */
  uint64_t *faces;       /* bit set */
} Fragment;

typedef struct Embedding {
  EchoArena *arena;
  const EchoPlanarEdge *edges;
  uint32_t n_vertices, n_edges, n_vertex_words, n_face_words;
  uint32_t *first_dart,
      *darts;            /* darts that leave vertex v: darts[first_dart[v] .. first_dart[v + 1]) */
  bool *is_embedded;     /* by vertex */
  uint32_t *fragment_of; /* by edge: the number of its fragment while one is taken apart */
  Dart *came_by;         /* of the breadth-first searches */
  uint32_t *queue, *mark, n_marks;
  Face *faces;
  uint32_t n_faces;
  ECHO_VECTOR(Fragment) fragments;
} Embedding;

static uint32_t tail(const Embedding *embedding, Dart dart)
{
  EchoPlanarEdge edge = embedding->edges[dart / 2];
  return dart & 1 ? edge.to : edge.from;
}

static uint32_t head(const Embedding *embedding, Dart dart)
{
  return tail(embedding, dart ^ 1);
}

static bool has_bit(const uint64_t *set, uint32_t bit)
{
  return set[bit / 64] >> (bit % 64) & 1;
}

static void set_bit(uint64_t *set, uint32_t bit)
{
  set[bit / 64] |= UINT64_C(1) << (bit % 64);
}

static uint64_t *new_set(Embedding *embedding, uint32_t n_words)
{
  uint64_t *set = ECHO_ARENA_ARRAY(embedding->arena, uint64_t, n_words);
  memset(set, 0, n_words * sizeof *set);
  return set;
}

static bool admits(const Embedding *embedding, const Face *face, const Fragment *fragment)
{
  for (uint32_t w = 0; w < embedding->n_vertex_words; w++)
    if ((fragment->attachments[w] & ~face->vertices[w]) != 0)
      return false;
  return true;
}

static void list_darts(Embedding *embedding)
{
  uint32_t n = embedding->n_vertices;
  embedding->first_dart = ECHO_ARENA_ARRAY(embedding->arena, uint32_t, (size_t)n + 2);
  embedding->darts = ECHO_ARENA_ARRAY(embedding->arena, uint32_t, 2 * (size_t)embedding->n_edges);
  memset(embedding->first_dart, 0, ((size_t)n + 2) * sizeof(uint32_t));
  for (Dart d = 0; d < 2 * embedding->n_edges; d++)
    embedding->first_dart[tail(embedding, d) + 2]++;
  for (uint32_t v = 1; v <= n + 1; v++)
    embedding->first_dart[v] += embedding->first_dart[v - 1];
  for (Dart d = 0; d < 2 * embedding->n_edges; d++)
    embedding->darts[embedding->first_dart[tail(embedding, d) + 1]++] = d;
}

/* A shortest path over edges of fragment `number` from `start` to an embedded vertex other than
 * `start`, or to `goal` when that is given, without passing through embedded vertices. Writes it
 * reversed: path[0] is the last dart. Returns its length, 0 when there is none. */
static uint32_t find_path(Embedding *embedding, uint32_t number, uint32_t start, uint32_t goal,
                          Dart *path)
{
  uint32_t n_queue = 0, mark = ++embedding->n_marks;
  embedding->queue[n_queue++] = start;
  embedding->mark[start] = mark;
  for (uint32_t k = 0; k < n_queue; k++) {
    uint32_t v = embedding->queue[k];
    for (uint32_t i = embedding->first_dart[v]; i < embedding->first_dart[v + 1]; i++) {
      Dart dart = embedding->darts[i];
      uint32_t w = head(embedding, dart);
      if (embedding->fragment_of[dart / 2] != number || embedding->mark[w] == mark)
        continue;
      embedding->mark[w] = mark;
      embedding->came_by[w] = dart;
      if (w == goal || (goal == NONE && embedding->is_embedded[w])) {
        uint32_t length = 0;
        for (; w != start; w = tail(embedding, path[length - 1]))
          path[length++] = embedding->came_by[w];
        return length;
      }
      if (!embedding->is_embedded[w])
        embedding->queue[n_queue++] = w;
    }
  }
  return 0;
}

static Face make_face(Embedding *embedding, const Dart *darts, uint32_t n_darts)
{
  Face face = {.darts = ECHO_ARENA_ARRAY(embedding->arena, Dart, n_darts), .n_darts = n_darts};
  memcpy(face.darts, darts, n_darts * sizeof *darts);
  face.vertices = new_set(embedding, embedding->n_vertex_words);
  for (uint32_t k = 0; k < n_darts; k++)
    set_bit(face.vertices, tail(embedding, darts[k]));
  return face;
}

/* The path, reversed as find_path gives it, leaves the face's boundary at its start and comes back
 * at its end. */
static void split_face(Embedding *embedding, uint32_t f, const Dart *path, uint32_t length)
{
  Face old = embedding->faces[f];
  uint32_t start = tail(embedding, path[length - 1]), end = head(embedding, path[0]);
  uint32_t at_start = 0, at_end = 0, n = 0;
  for (uint32_t k = 0; k < old.n_darts; k++) {
    if (tail(embedding, old.darts[k]) == start)
      at_start = k;
    if (tail(embedding, old.darts[k]) == end)
      at_end = k;
  }
  Dart *cycle = ECHO_ARENA_ARRAY(embedding->arena, Dart, (size_t)old.n_darts + length);
  for (uint32_t k = length; k-- > 0;) /* start to end by the path, back along the boundary */
    cycle[n++] = path[k];
  for (uint32_t k = at_end; k != at_start; k = (k + 1) % old.n_darts)
    cycle[n++] = old.darts[k];
  embedding->faces[f] = make_face(embedding, cycle, n);
  n = 0;
  for (uint32_t k = 0; k < length; k++) /* end to start against the path */
    cycle[n++] = path[k] ^ 1;
  for (uint32_t k = at_start; k != at_end; k = (k + 1) % old.n_darts)
    cycle[n++] = old.darts[k];
  embedding->faces[embedding->n_faces++] = make_face(embedding, cycle, n);
}

/* Collects the fragment of an edge: edges reached through vertices that are not embedded. */
static void collect_fragment(Embedding *embedding, uint32_t from_number, uint32_t first_edge,
                             uint32_t number, uint32_t *edges)
{
  Fragment fragment = {.attachments = new_set(embedding, embedding->n_vertex_words),
                       .faces = new_set(embedding, embedding->n_face_words)};
  uint32_t n = 0;
  embedding->fragment_of[first_edge] = number;
  edges[n++] = first_edge;
  for (uint32_t k = 0; k < n; k++)
    for (int side = 0; side < 2; side++) {
      uint32_t v = tail(embedding, 2 * edges[k] + (uint32_t)side);
      if (embedding->is_embedded[v]) {
        set_bit(fragment.attachments, v);
        continue;
      }
      for (uint32_t i = embedding->first_dart[v]; i < embedding->first_dart[v + 1]; i++) {
        uint32_t edge = embedding->darts[i] / 2;
        if (embedding->fragment_of[edge] == from_number) {
          embedding->fragment_of[edge] = number;
          edges[n++] = edge;
        }
      }
    }
  fragment.edges = ECHO_ARENA_ARRAY(embedding->arena, uint32_t, n);
  fragment.n_edges = n;
  memcpy(fragment.edges, edges, n * sizeof *edges);
  for (uint32_t f = 0; f < embedding->n_faces; f++)
    if (admits(embedding, &embedding->faces[f], &fragment)) {
      set_bit(fragment.faces, f);
      fragment.n_faces++;
    }
  echo_vector_push(&embedding->fragments, fragment);
}

/* Numbers above all edges stand for "being taken apart" and "embedded". */
#define APART (NONE - 1)
#define EMBEDDED NONE

static void take_apart(Embedding *embedding, const uint32_t *edges, uint32_t n_edges,
                       uint32_t *scratch)
{
  for (uint32_t k = 0; k < n_edges; k++) {
    uint32_t edge = edges[k];
    if (embedding->fragment_of[edge] == APART)
      collect_fragment(embedding, APART, edge, edge, scratch);
  }
}

static void embed_path(Embedding *embedding, const Dart *path, uint32_t length)
{
  for (uint32_t k = 0; k < length; k++) {
    embedding->fragment_of[path[k] / 2] = EMBEDDED;
    embedding->is_embedded[tail(embedding, path[k])] = true;
    embedding->is_embedded[head(embedding, path[k])] = true;
  }
}

/* After face f was split into f and the newest. */
static void recheck_fragments(Embedding *embedding, uint32_t f)
{
  uint32_t newest = embedding->n_faces - 1;
  for (size_t k = 0; k < embedding->fragments.size; k++) {
    Fragment *fragment = &embedding->fragments.data[k];
    if (!has_bit(fragment->faces, f))
      continue;
    if (!admits(embedding, &embedding->faces[f], fragment)) {
      fragment->faces[f / 64] &= ~(UINT64_C(1) << (f % 64));
      fragment->n_faces--;
    }
    if (admits(embedding, &embedding->faces[newest], fragment)) {
      set_bit(fragment->faces, newest);
      fragment->n_faces++;
    }
  }
}

static uint32_t first_bit(const uint64_t *set)
{
  uint32_t w = 0;
  while (set[w] == 0)
    w++;
  return w * 64 + (uint32_t)__builtin_ctzll(set[w]);
}

static bool embed_fragments(Embedding *embedding, Dart *path, uint32_t *scratch)
{
  while (embedding->fragments.size > 0) {
    size_t best = 0;
    for (size_t k = 1; k < embedding->fragments.size; k++)
      if (embedding->fragments.data[k].n_faces < embedding->fragments.data[best].n_faces)
        best = k;
    Fragment fragment = embedding->fragments.data[best];
    if (fragment.n_faces == 0)
      return false;
    embedding->fragments.data[best] = echo_vector_last(&embedding->fragments);
    embedding->fragments.size--;
    uint32_t face = first_bit(fragment.faces), number = embedding->fragment_of[fragment.edges[0]];
    uint32_t length = find_path(embedding, number, first_bit(fragment.attachments), NONE, path);
    ECHO_CHECK(length > 0, "the graph to embed is not biconnected");
    for (uint32_t k = 0; k < fragment.n_edges; k++)
      embedding->fragment_of[fragment.edges[k]] = APART;
    embed_path(embedding, path, length);
    split_face(embedding, face, path, length);
    recheck_fragments(embedding, face);
    take_apart(embedding, fragment.edges, fragment.n_edges, scratch);
  }
  return true;
}

static void read_sides(const Embedding *embedding, EchoPlanarSides *sides)
{
  for (uint32_t f = 0; f < embedding->n_faces; f++)
    for (uint32_t k = 0; k < embedding->faces[f].n_darts; k++) {
      Dart dart = embedding->faces[f].darts[k];
      if (dart & 1)
        sides[dart / 2].backward = f;
      else
        sides[dart / 2].forward = f;
    }
}

bool echo_planar_embed(uint32_t n_vertices, const EchoPlanarEdge *edges, uint32_t n_edges,
                       EchoArena *arena, EchoPlanarSides *sides, uint32_t *n_faces)
{
  ECHO_CHECK(n_edges >= 2 && n_edges < (UINT32_C(1) << 30), "%u edges to embed", n_edges);
  uint32_t most_faces = n_edges - n_vertices + 2; /* Euler */
  Embedding embedding = {.arena = arena,
                         .edges = edges,
                         .n_vertices = n_vertices,
                         .n_edges = n_edges,
                         .n_vertex_words = n_vertices / 64 + 1,
                         .n_face_words = most_faces / 64 + 1,
                         .is_embedded = ECHO_ARENA_ARRAY(arena, bool, n_vertices),
                         .fragment_of = ECHO_ARENA_ARRAY(arena, uint32_t, n_edges),
                         .came_by = ECHO_ARENA_ARRAY(arena, Dart, n_vertices),
                         .queue = ECHO_ARENA_ARRAY(arena, uint32_t, n_vertices),
                         .mark = ECHO_ARENA_ARRAY(arena, uint32_t, n_vertices),
                         .faces = ECHO_ARENA_ARRAY(arena, Face, (size_t)most_faces + 1)};
  Dart *path = ECHO_ARENA_ARRAY(arena, Dart, (size_t)n_vertices + 1);
  uint32_t *scratch = ECHO_ARENA_ARRAY(arena, uint32_t, n_edges);
  uint32_t *all = ECHO_ARENA_ARRAY(arena, uint32_t, n_edges);
  list_darts(&embedding);
  for (uint32_t v = 0; v < n_vertices; v++) {
    embedding.is_embedded[v] = false;
    embedding.mark[v] = 0;
  }
  for (uint32_t e = 0; e < n_edges; e++) {
    embedding.fragment_of[e] = APART;
    all[e] = e;
  }
  /* The first cycle: edge 0 and a shortest way back from its head to its tail. */
  embedding.fragment_of[0] = EMBEDDED;
  uint32_t length = find_path(&embedding, APART, edges[0].to, edges[0].from, path);
  ECHO_CHECK(length > 0, "the graph to embed is not biconnected");
  embed_path(&embedding, path, length);
  Dart *cycle = ECHO_ARENA_ARRAY(arena, Dart, (size_t)length + 1);
  cycle[0] = 0;
  for (uint32_t k = 0; k < length; k++)
    cycle[k + 1] = path[length - 1 - k];
  embedding.faces[embedding.n_faces++] = make_face(&embedding, cycle, length + 1);
  for (uint32_t k = 0; k < (length + 1) / 2; k++) { /* the other side: reversed */
    Dart swap = cycle[k];
    cycle[k] = cycle[length - k];
    cycle[length - k] = swap;
  }
  for (uint32_t k = 0; k <= length; k++)
    cycle[k] ^= 1;
  embedding.faces[embedding.n_faces++] = make_face(&embedding, cycle, length + 1);
  take_apart(&embedding, all, n_edges, scratch);
  bool is_planar = embed_fragments(&embedding, path, scratch);
  if (is_planar) {
    ECHO_CHECK(embedding.n_faces == most_faces, "%u faces instead of %u", embedding.n_faces,
               most_faces);
    read_sides(&embedding, sides);
    *n_faces = embedding.n_faces;
  }
  echo_vector_destroy(&embedding.fragments);
  return is_planar;
}
