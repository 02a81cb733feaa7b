#include "samples/nmt/options.h"

#include <getopt.h>
#include <stdio.h>

typedef enum OptionKind {
  FLAG,
  TEXT,
  OPTIONAL_TEXT,
  NUMBER,
  REAL,
  TWO_FILES,
  HELP,
  VERSION
} OptionKind;

typedef struct OptionRow {
  const char *name, *value, *summary;
  OptionKind kind;
  void *target;
  int64_t min, max; /* NUMBER */
} OptionRow;

enum { MAX_ROWS = 48, MAX_DIMENSION = 1 << 24 };

static size_t list_options(NmtOptions *o, OptionRow *rows)
{
  const OptionRow table[] = {
      {"demo", NULL, "train the built-in task without and with Echo, and show everything", FLAG,
       &o->demo, 0, 0},
      {"demo-dir", "DIR", "where --demo writes IR, PTX and the report (default: build/demo)", TEXT,
       &o->demo_dir, 0, 0},
      {"train", "SRC TGT", "train on two text files, a sentence a line, plain or gzip", TWO_FILES,
       o->train, 0, 0},
      {"valid", "SRC TGT", "validate on these", TWO_FILES, o->valid, 0, 0},
      {"steps", "N", "training steps (default: 200)", NUMBER, &o->steps, 0, INT32_MAX - 1},
      {"echo", "OPTIONS",
       "recompute what is cheaper to recompute than to keep: budget=BYTES|min, overhead=P%",
       OPTIONAL_TEXT, &o->echo, 0, 0},
      {"plan-only", NULL, "plan the memory of a step, with and without Echo, and run nothing", FLAG,
       &o->plan_only, 0, 0},
      {"emit", "STAGE",
       "write the IR of a stage: model, tensor, step, echoed, scheduled, kernels, planned, loops",
       TEXT, &o->emit, 0, 0},
      {"dump-feed", "PREFIX", "write PREFIX.inputs.npz and PREFIX.feed.npz for echo-run", TEXT,
       &o->dump_feed, 0, 0},
      {"o", "FILE", "output of --emit (default: standard output)", TEXT, &o->output, 0, 0},
      {"layers", "N", "LSTM layers of encoder and decoder", NUMBER, &o->config.layers, 1, 16},
      {"hidden", "N", "hidden size", NUMBER, &o->config.hidden, 1, MAX_DIMENSION},
      {"embedding", "N", "embedding size (default: --hidden)", NUMBER, &o->config.embedding, 1,
       MAX_DIMENSION},
      {"batch", "N", "sentences a step", NUMBER, &o->config.batch, 1, MAX_DIMENSION},
      {"length", "N", "source and target length, in tokens", NUMBER, &o->config.source_length, 1,
       1 << 16},
      {"vocab", "N", "words at most a language (words), or the size itself with --plan-only",
       NUMBER, &o->vocab, 8, MAX_DIMENSION},
      {"merges", "N", "byte-pair merges a language; 0 = whole words", NUMBER, &o->merges, 0,
       MAX_DIMENSION},
      {"dropout", "P", "dropout probability", REAL, &o->config.dropout, 0, 0},
      {"learning-rate", "X", "of Adam (default: 0.002)", REAL, &o->learning_rate, 0, 0},
      {"warmup", "N", "steps over which the rate rises", NUMBER, &o->warmup, 1, INT32_MAX},
      {"seed", "N", "of weights, order of the data and dropout", NUMBER, &o->seed, 0, INT64_MAX},
      {"threads", "N", "threads (0 = all processors)", NUMBER, &o->threads, 0, 1024},
      {"valid-every", "N", "steps between validations (0 = at the end)", NUMBER, &o->valid_every, 0,
       INT32_MAX},
      {"no-validation", NULL, "train only", FLAG, &o->no_validation, 0, 0},
      {"max-pairs", "N", "pairs used at most (0 = all)", NUMBER, &o->max_pairs, 0, INT32_MAX},
      {"feed-steps", "N", "batches in --dump-feed", NUMBER, &o->feed_steps, 1, 1 << 16},
      {"save", "FILE", "write a checkpoint (safetensors) at the end and every --save-every steps",
       TEXT, &o->save, 0, 0},
      {"save-every", "N", "steps between checkpoints (0 = at the end only)", NUMBER, &o->save_every,
       0, INT32_MAX},
      {"resume", "FILE", "go on from a checkpoint, if it is there", TEXT, &o->resume, 0, 0},
      {"cache-dir", "DIR", "keep compiled kernels there", TEXT, &o->cache_dir, 0, 0},
      {"device-model", "NAME|FILE",
       "device that times are predicted for (default: this host's; a GPU with --plan-only)", TEXT,
       &o->device_model, 0, 0},
      {"json", "FILE", "write the figures", TEXT, &o->json, 0, 0},
      {"quiet", NULL, "print no progress", FLAG, &o->quiet, 0, 0},
      {"help", NULL, "this text", HELP, NULL, 0, 0},
      {"version", NULL, "the version", VERSION, NULL, 0, 0},
  };
  size_t n = sizeof table / sizeof table[0];
  ECHO_CHECK(n < MAX_ROWS, "too many options");
  memcpy(rows, table, sizeof table);
  return n;
}

static void print_help(const OptionRow *rows, size_t n)
{
  printf("nmt: translation by an encoder-decoder LSTM with attention\n\nusage: nmt [options]\n\n");
  for (size_t i = 0; i < n; i++) {
    char left[64];
    snprintf(left, sizeof left, "  --%s%s%s", rows[i].name, rows[i].value != NULL ? " " : "",
             rows[i].value != NULL ? rows[i].value : "");
    printf("%-28s %s\n", left, rows[i].summary);
  }
}

static bool set_option(const OptionRow *row, const char *value, int argc, char **argv)
{
  EchoStr text = value != NULL ? echo_str(value) : (EchoStr){0};
  switch (row->kind) {
  case FLAG:
    *(bool *)row->target = true;
    return true;
  case TEXT:
    *(const char **)row->target = value;
    return true;
  case OPTIONAL_TEXT:
    *(const char **)row->target = value != NULL ? value : "";
    return true;
  case NUMBER: {
    int64_t number;
    if (!echo_str_to_i64(text, &number) || number < row->min || number > row->max)
      return false;
    *(int64_t *)row->target = number;
    return true;
  }
  case REAL:
    return echo_str_to_f64(text, row->target);
  case TWO_FILES:
    if (optind >= argc)
      return false;
    ((const char **)row->target)[0] = value;
    ((const char **)row->target)[1] = argv[optind++];
    return true;
  case HELP:
  case VERSION:
    return true;
  }
  return false;
}

static void set_defaults(NmtOptions *o)
{
  *o = (NmtOptions){.steps = 200,
                    .seed = 1,
                    .learning_rate = 0.002,
                    .warmup = 100,
                    .vocab = 10000,
                    .merges = 100,
                    .feed_steps = 3,
                    .demo_dir = "build/demo"};
  o->config = (NmtConfig){.batch = 64, .source_length = 16, .hidden = 128, .layers = 1};
}

NmtOptionsOutcome nmt_options_parse(int argc, char **argv, NmtOptions *options)
{
  OptionRow rows[MAX_ROWS];
  struct option long_options[MAX_ROWS] = {0};
  set_defaults(options);
  size_t n = list_options(options, rows);
  for (size_t i = 0; i < n; i++) {
    OptionKind kind = rows[i].kind;
    long_options[i].name = rows[i].name;
    long_options[i].has_arg = kind == FLAG || kind == HELP || kind == VERSION ? no_argument
                              : kind == OPTIONAL_TEXT                         ? optional_argument
                                                                              : required_argument;
  }
  for (int index, c; (c = getopt_long_only(argc, argv, "", long_options, &index)) != -1;) {
    if (c != 0)
      return NMT_OPTIONS_ERROR; /* getopt has said why */
    if (rows[index].kind == HELP) {
      print_help(rows, n);
      return NMT_OPTIONS_EXIT;
    }
    if (rows[index].kind == VERSION) {
      printf("nmt 0.1.0\n");
      return NMT_OPTIONS_EXIT;
    }
    if (!set_option(&rows[index], optarg, argc, argv)) {
      fprintf(stderr, "nmt: error: bad value for --%s: '%s' (see --help)\n", rows[index].name,
              optarg);
      return NMT_OPTIONS_ERROR;
    }
  }
  if (optind < argc) {
    fprintf(stderr, "nmt: error: unexpected argument '%s'\n", argv[optind]);
    return NMT_OPTIONS_ERROR;
  }
  NmtConfig *config = &options->config;
  if (config->embedding == 0)
    config->embedding = config->hidden;
  config->target_length = config->source_length;
  if (!(config->dropout >= 0 && config->dropout < 1)) {
    fprintf(stderr, "nmt: error: --dropout must lie in [0, 1)\n");
    return NMT_OPTIONS_ERROR;
  }
  return NMT_OPTIONS_OK;
}
