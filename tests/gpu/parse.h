/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Between the reader of PTX and what makes instructions of its lines. */
#ifndef ECHO_TESTS_GPU_PARSE_H
#define ECHO_TESTS_GPU_PARSE_H

#include "tests/gpu/ptx.h"

typedef enum TokenKind {
  TOKEN_END,
  TOKEN_WORD,
  TOKEN_NUMBER,
  TOKEN_PUNCTUATION,
  TOKEN_STRING
} TokenKind;

typedef struct Token {
  TokenKind kind;
  const char *text;
  size_t size;
  uint32_t line;
} Token;

typedef struct Lexer {
  const char *at;
  uint32_t line;
} Lexer;

/* Words hold letters, digits, '_', '$', '%' and '.'. */
Token lex_next(Lexer *lexer);
bool token_is(const Token *token, const char *text);

/* Registers of one .reg line: a name, or a prefix with numbers behind it. */
typedef struct RegisterRange {
  char prefix[48];
  uint32_t n; /* 0 = the prefix is the name */
  uint32_t place, stride;
  Type type;
} RegisterRange;

typedef struct Label {
  char *name;
  int32_t pc; /* -1 until it stands */
} Label;

enum { MAX_RANGES = 64, MAX_PARTS = 20, MAX_FLAT = 40 };

typedef struct Parser {
  Lexer lexer;
  Token token; /* the next one */
  PtxModule *module;
  PtxKernel *kernel;
  RegisterRange ranges[MAX_RANGES];
  size_t n_ranges;
  Label *labels;
  size_t n_labels, label_capacity;
  size_t insn_capacity, constant_capacity, variable_capacity;
  uint32_t constant_map[1024]; /* hash of a constant -> its number + 1 */
  uint32_t *constant_next;     /* chain */
  char *log;
  size_t log_bytes;
  bool failed;
} Parser;

typedef enum OperandKind {
  OPERAND_REGISTER,
  OPERAND_INTEGER,
  OPERAND_F32,
  OPERAND_F64,
  OPERAND_SYMBOL,
  OPERAND_MEMORY, /* [register or symbol + offset] */
  OPERAND_LIST,
  OPERAND_LABEL,
  OPERAND_SINK
} OperandKind;

typedef struct Operand {
  OperandKind kind;
  Type type;        /* of a register */
  uint32_t place;   /* of a register; 0 in a MEMORY without one */
  uint64_t value;   /* of a number; the address of a symbol */
  int64_t offset;   /* of a MEMORY */
  Space space;      /* of a symbol, or of a MEMORY made of one; GENERIC = unknown */
  bool is_negated;  /* !%p */
  uint8_t first, n; /* of a LIST, in Line.flat */
  char name[64];    /* of a label */
} Operand;

/* One instruction as it is written. */
typedef struct Line {
  char mnemonic[96];
  const char *parts[MAX_PARTS]; /* into mnemonic, split at its points */
  size_t n_parts;
  Operand flat[MAX_FLAT];
  uint8_t top[MAX_OPERANDS + 4]; /* operands, in flat */
  size_t n_top, n_flat;
  Type types[4];
  size_t n_types;
  uint32_t number;
} Line;

/* The next token: moves on, is it this, takes it if it is, or else it is an error. */
void parse_next(Parser *parser);
bool parse_at(const Parser *parser, const char *text);
bool parse_take(Parser *parser, const char *text);
bool parse_expect(Parser *parser, const char *text);
bool parse_integer(Parser *parser, int64_t *value); /* with a sign */
bool parse_type(Parser *parser, Type *type);
bool token_is_float(const Token *token, char kind); /* 0f… or 0d… */
Type type_named(const char *name, size_t size);     /* T_NONE when there is none */
/* An operand into the line; or one into a place of its own, without lists and addresses. */
bool parse_operand(Parser *parser, Line *line);
bool parse_simple(Parser *parser, Operand *operand);

void *parse_grow(void *list, size_t n, size_t *capacity, size_t element_bytes);
uint32_t lanes_bytes(uint32_t value_bytes);
/* Room in the register file. */
uint32_t parse_place(PtxKernel *kernel, uint32_t bytes);

bool parse_fail(Parser *parser, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

bool line_has(const Line *line, const char *part);
const Operand *line_operand(const Line *line, size_t i);

/* The place of a constant that all lanes have. */
uint32_t parse_constant(Parser *parser, uint64_t value, uint32_t bytes);
/* The number of a label, there or still to come. */
int32_t parse_label(Parser *parser, const char *name);
Insn *parse_add_insn(Parser *parser, uint32_t line);

/* Makes an instruction of a line; false after an error. */
bool decode_line(Parser *parser, const Line *line, const Operand *guard);

/* What executes an operation on a type; NULL when there is none. One for each file of operations.
 */
typedef struct ExecRow {
  const char *name; /* with what changes its meaning: "mul.hi" */
  Type type;
  Exec *exec;
} ExecRow;
extern const ExecRow INTEGER_ROWS[], FLOAT_ROWS[];
Exec *exec_find_or_null(const char *name, Type type);

/* Of other modules. */
void exec_set_predicate(Warp *warp, const Insn *insn, uint32_t mask);
void exec_convert(Warp *warp, const Insn *insn, uint32_t mask);
void exec_flushed(Warp *warp, const Insn *insn, uint32_t mask);
void exec_load(Warp *warp, const Insn *insn, uint32_t mask);
void exec_load_param(Warp *warp, const Insn *insn, uint32_t mask);
void exec_store(Warp *warp, const Insn *insn, uint32_t mask);
void exec_atomic(Warp *warp, const Insn *insn, uint32_t mask);
void exec_pack(Warp *warp, const Insn *insn, uint32_t mask);
void exec_unpack(Warp *warp, const Insn *insn, uint32_t mask);
void exec_shuffle(Warp *warp, const Insn *insn, uint32_t mask);
void exec_vote(Warp *warp, const Insn *insn, uint32_t mask);
void exec_set_conditional(Warp *warp, const Insn *insn, uint32_t mask);
void exec_active_mask(Warp *warp, const Insn *insn, uint32_t mask);
void exec_nothing(Warp *warp, const Insn *insn, uint32_t mask);
void exec_sync_warp(Warp *warp, const Insn *insn, uint32_t mask);
void exec_copy_async(Warp *warp, const Insn *insn, uint32_t mask);
void exec_async_wait(Warp *warp, const Insn *insn, uint32_t mask);
void exec_load_matrix(Warp *warp, const Insn *insn, uint32_t mask);
void exec_mma(Warp *warp, const Insn *insn, uint32_t mask);
void exec_shift_generic(Warp *warp, const Insn *insn, uint32_t mask);
void exec_logic3(Warp *warp, const Insn *insn, uint32_t mask);

typedef enum Comparison {
  CMP_EQ,
  CMP_NE,
  CMP_LT,
  CMP_LE,
  CMP_GT,
  CMP_GE,
  CMP_EQU,
  CMP_NEU,
  CMP_LTU,
  CMP_LEU,
  CMP_GTU,
  CMP_GEU,
  CMP_NUM,
  CMP_NAN
} Comparison;
typedef enum Joint { JOINT_NONE, JOINT_AND, JOINT_OR, JOINT_XOR } Joint;

typedef enum AtomicOperation {
  ATOMIC_ADD,
  ATOMIC_MIN,
  ATOMIC_MAX,
  ATOMIC_AND,
  ATOMIC_OR,
  ATOMIC_XOR,
  ATOMIC_EXCH,
  ATOMIC_CAS,
  ATOMIC_INC,
  ATOMIC_DEC
} AtomicOperation;

typedef enum ShuffleMode { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX } ShuffleMode;
typedef enum VoteMode { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT } VoteMode;

#endif
