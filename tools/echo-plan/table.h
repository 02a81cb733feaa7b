/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tables in comma-separated text, the planners' input: a header, then a row a line. The invariant:
 * all mistakes are reported, each with file, line and row, and a table with a mistake is never
 * used. Fields are taken as they are, without quotes; spaces around them are dropped. */
#ifndef ECHO_TOOLS_ECHO_PLAN_TABLE_H
#define ECHO_TOOLS_ECHO_PLAN_TABLE_H

#include "base/file.h"
#include "base/vector.h"

#define TABLE_MAX_COLUMNS 12

typedef struct TableRow {
  size_t line;
  EchoStr fields[TABLE_MAX_COLUMNS]; /* by column of the schema; empty where the file lacks it */
} TableRow;

typedef struct Table {
  const char *path;
  EchoFile file;
  bool has_column[TABLE_MAX_COLUMNS];
  ECHO_VECTOR(TableRow) rows;
  size_t n_mistakes;
} Table;

/* The first n_required columns must stand first and in this order; after them any of the others, in
 * order. */
typedef struct TableSchema {
  const char *const *columns;
  size_t n_required, n_columns;
} TableSchema;

/* False, after messages, when the file cannot be read, its header does not fit, a row has the wrong
 * number of fields, or there are no rows. Destroy it in either case. */
bool table_read(Table *table, const char *path, const TableSchema *schema);
void table_destroy(Table *table);

/* Reports a mistake in a row, counted from 1 (0 = the file as a whole). After 20 only counts. */
void table_complain(Table *table, size_t row, const char *format, ...) ECHO_PRINTF(3, 4);
/* False, after how many mistakes there were when they are more than were shown. */
bool table_is_fine(const Table *table);

/* Fields as numbers; on a mistake complains about `what` and gives 0. */
int64_t table_i64(Table *table, size_t row, size_t column, const char *what);
/* Not negative, below 2^62. */
uint64_t table_size(Table *table, size_t row, size_t column, const char *what);
/* Not negative and finite. */
double table_f64(Table *table, size_t row, size_t column, const char *what);

#endif
