/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Signatures of LAPACK and BLAS routines, a row each, and the working space that they take. */
#include "lowering/calls/lapack_t.h"

static int64_t at_least_1(int64_t n)
{
  return n > 1 ? n : 1;
}

/* Columns that a blocked routine takes at once (ILAENV's answer for these in LAPACK is 32): a space
 * of 32 columns lets it run blocked; it is fixed, because the block decides over bits. */
enum { BLOCK = 32 };

static int64_t smaller(const EchoLapackSizes *s)
{
  return s->m < s->n ? s->m : s->n;
}

static int64_t larger(const EchoLapackSizes *s)
{
  return s->m < s->n ? s->n : s->m;
}

static int64_t block_columns(const EchoLapackSizes *s)
{
  return at_least_1(s->n * BLOCK);
}

static int64_t geqp3_space(const EchoLapackSizes *s)
{
  return 2 * s->n + (s->n + 1) * BLOCK;
}

/* LAPACK 3.11, sgesdd.f, "Note: larger than this may improve": the largest of its paths. */
static int64_t gesdd_space(const EchoLapackSizes *s)
{
  int64_t least = smaller(s), most = larger(s);
  if (!s->has_vectors)
    return at_least_1(3 * least + (most > 7 * least ? most : 7 * least)) + BLOCK * most;
  return at_least_1(4 * least * least + 7 * least + most) + BLOCK * most;
}

/* LAPACK 3.11, zgesdd.f, its largest path with vectors: a square of the smaller side, then what
 * zgebrd and zunmbr take. */
static int64_t complex_gesdd_space(const EchoLapackSizes *s)
{
  int64_t least = smaller(s), most = larger(s);
  return at_least_1((s->has_vectors ? least * least + 3 * least : 2 * least) + most +
                    BLOCK * (least + most));
}

/* "Let mx = max(M,N) and mn = min(M,N)" there; 7 mn is what older ones ask for without vectors. */
static int64_t gesdd_reals(const EchoLapackSizes *s)
{
  int64_t least = smaller(s), most = larger(s);
  if (!s->has_vectors)
    return at_least_1(7 * least);
  int64_t tall = 5 * least * least + 5 * least,
          other = 2 * most * least + 2 * least * least + least;
  return at_least_1(tall > other ? tall : other);
}

/* LAPACK 3.11, sgesvd.f: a square of the smaller side, and blocks of what stands beside it. */
static int64_t gesvd_space(const EchoLapackSizes *s)
{
  int64_t least = smaller(s), most = larger(s);
  return at_least_1(least * least + 5 * least + most + BLOCK * (least + most));
}

static int64_t gesvd_reals(const EchoLapackSizes *s)
{
  return at_least_1(5 * smaller(s));
}

/* LAPACK 3.11, sormqr.f: blocks of the other matrix, and a triangle of 65 x 64. */
static int64_t ormqr_space(const EchoLapackSizes *s)
{
  return at_least_1(s->most * BLOCK + 65 * 64);
}

static int64_t gesdd_integers(const EchoLapackSizes *s)
{
  return at_least_1(8 * smaller(s));
}

static int64_t syevd_space(const EchoLapackSizes *s)
{
  int64_t least = s->has_vectors ? 1 + 6 * s->n + 2 * s->n * s->n : 2 * s->n + 1;
  int64_t blocked = 2 * s->n + s->n * BLOCK;
  return least > blocked ? least : at_least_1(blocked);
}

static int64_t syevd_integers(const EchoLapackSizes *s)
{
  return s->has_vectors ? 3 + 5 * s->n : 1;
}

static int64_t heevd_space(const EchoLapackSizes *s)
{
  int64_t least = s->has_vectors ? 2 * s->n + s->n * s->n : s->n + 1;
  int64_t blocked = s->n + s->n * BLOCK;
  return at_least_1(least > blocked ? least : blocked);
}

static int64_t heevd_reals(const EchoLapackSizes *s)
{
  return at_least_1(s->has_vectors ? 1 + 5 * s->n + 2 * s->n * s->n : s->n);
}

/* The largest of what geev's parts take beside its own vectors of n: trevc3, n + 2 n NB. */
static int64_t geev_space(const EchoLapackSizes *s)
{
  return at_least_1((4 + 2 * BLOCK) * s->n);
}

static int64_t two_columns(const EchoLapackSizes *s)
{
  return at_least_1(2 * s->n);
}

static int64_t gees_space(const EchoLapackSizes *s)
{
  return at_least_1((3 + BLOCK) * s->n);
}

static int64_t columns(const EchoLapackSizes *s)
{
  return at_least_1(s->n);
}

static const EchoLapackRoutine ROUTINES[] = {
    {"potrf", "sdcz", "T", "TI", "nn nn -", 2, "?uplo=UL n0 r0=a0 la0 r1", NULL, NULL, NULL,
     1.0 / 3},
    {"getrf", "sdcz", "T", "TII", "mn mn k -", 2, "m0 n0 r0=a0 la0 r1 r2", NULL, NULL, NULL,
     2.0 / 3},
    {"geqrf", "sdcz", "T", "TT", "mn mn k", 2, "m0 n0 r0=a0 la0 r1 w lw x", block_columns, NULL,
     NULL, 2},
    {"geqp3", "sd", "TI", "TIT", "mn n mn n k", 2, "m0 n0 r0=a0 la0 r1=a1 r2 w lw x", geqp3_space,
     NULL, NULL, 2},
    {"geqp3", "cz", "TI", "TIT", "mn n mn n k", 2, "m0 n0 r0=a0 la0 r1=a1 r2 w lw f x", geqp3_space,
     two_columns, NULL, 2},
    {"orgqr", "sd", "TT", "T", "mn t mn", 2, "m0 n0 k1 r0=a0 la0 a1 w lw x", block_columns, NULL,
     NULL, 2},
    {"ungqr", "cz", "TT", "T", "mn t mn", 2, "m0 n0 k1 r0=a0 la0 a1 w lw x", block_columns, NULL,
     NULL, 2},
    {"ormqr", "sd", "TTT", "T", "st t mn mn", 2,
     "?left:RL ?transpose:NT m2 n2 k1 a0 la0 a1 r0=a2 la2 w lw x", ormqr_space, NULL, NULL, 4},
    {"unmqr", "cz", "TTT", "T", "st t mn mn", 2,
     "?left:RL ?transpose:NC m2 n2 k1 a0 la0 a1 r0=a2 la2 w lw x", ormqr_space, NULL, NULL, 4},
    {"gesdd", "sd", "T", "TRTTI", "mn mn k mu vn -", 2,
     "?mode=ASN m0 n0 r0=a0 la0 r1 r2 lr2 r3 lr3 w lw i r4", gesdd_space, NULL, gesdd_integers, 22},
    {"gesdd", "cz", "T", "TRTTI", "mn mn k mu vn -", 2,
     "?mode=ASN m0 n0 r0=a0 la0 r1 r2 lr2 r3 lr3 w lw f i r4", complex_gesdd_space, gesdd_reals,
     gesdd_integers, 22},
    {"gesvd", "sd", "T", "TRTTI", "mn mn k mu vn -", 2,
     "?mode=ASN ?mode=ASN m0 n0 r0=a0 la0 r1 r2 lr2 r3 lr3 w lw r4", gesvd_space, NULL, NULL, 22},
    {"gesvd", "cz", "T", "TRTTI", "mn mn k mu vn -", 2,
     "?mode=ASN ?mode=ASN m0 n0 r0=a0 la0 r1 r2 lr2 r3 lr3 w lw f r4", gesvd_space, gesvd_reals,
     NULL, 22},
    {"syevd", "sd", "T", "TRI", "nn nn n -", 2, "?mode=NV ?uplo=UL n0 r0=a0 la0 r1 w lw i li r2",
     syevd_space, NULL, syevd_integers, 9},
    {"heevd", "cz", "T", "TRI", "nn nn n -", 2,
     "?mode=NV ?uplo=UL n0 r0=a0 la0 r1 w lw f lf i li r2", heevd_space, heevd_reals,
     syevd_integers, 9},
    {"sytrd", "sd", "T", "TRRTI", "nn nn n h h -", 2, "?uplo=UL n0 r0=a0 la0 r1 r2 r3 w lw r4",
     block_columns, NULL, NULL, 4.0 / 3},
    {"hetrd", "cz", "T", "TRRTI", "nn nn n h h -", 2, "?uplo=UL n0 r0=a0 la0 r1 r2 r3 w lw r4",
     block_columns, NULL, NULL, 4.0 / 3},
    {"gehrd", "sdcz", "T", "TTI", "nn nn h -", 2, "n0 #low #high r0=a0 la0 r1 w lw r2",
     block_columns, NULL, NULL, 10.0 / 3},
    {"gees", "sd", "T", "TTTTII", "nn nn nn n n - -", 2,
     "?mode=NV ?sort=N x n0 r0=a0 la0 r4 r2 r3 r1 lr1 w lw i r5", gees_space, NULL, columns, 25},
    {"gees", "cz", "T", "TTTII", "nn nn nn n - -", 2,
     "?mode=NV ?sort=N x n0 r0=a0 la0 r3 r2 r1 lr1 w lw f i r4", gees_space, columns, columns, 25},
    {"geev", "sd", "T", "TTCCI", "nn n n nn nn -", 2,
     "?compute_left=NV ?compute_right=NV n0 c0 la0 r0 r1 p2 lr2 p3 lr3 w lw r4", geev_space, NULL,
     NULL, 25},
    {"geev", "cz", "T", "TTTI", "nn n nn nn -", 2,
     "?compute_left=NV ?compute_right=NV n0 c0 la0 r0 r1 lr1 r2 lr2 w lw f r3", geev_space,
     two_columns, NULL, 25},
    {"gtsv", "sdcz", "TTTT", "TTTTI", "n n n nr n n n nr -", 1,
     "k0 n3 r0=a0+ r1=a1 r2=a2 r3=a3 la3 r4", NULL, NULL, NULL, 8},
    {"trsm", "sdcz", "TT", "T", "ss mn mn", 2,
     "?side=LR ?uplo=UL ?trans_x=NTC ?diag=NU m1 n1 one a0 la0 r0=a1 la1", NULL, NULL, NULL, 1},
};

const EchoLapackRoutine *echo_lapack_routine_or_null(EchoStr target, char *letter)
{
  static const char prefix[] = "lapack_", suffix[] = "_ffi";
  size_t head = sizeof prefix - 1, tail = sizeof suffix - 1;
  if (target.size < head + tail + 2 || memcmp(target.data, prefix, head) != 0 ||
      memcmp(target.data + target.size - tail, suffix, tail) != 0)
    return NULL;
  *letter = target.data[head];
  EchoStr name = {target.data + head + 1, target.size - head - tail - 1};
  for (size_t i = 0; i < sizeof ROUTINES / sizeof ROUTINES[0]; ++i)
    if (echo_str_is(name, ROUTINES[i].name) && *letter != '\0' &&
        strchr(ROUTINES[i].letters, *letter) != NULL)
      return &ROUTINES[i];
  return NULL;
}
