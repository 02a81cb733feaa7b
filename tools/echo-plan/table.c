/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/echo-plan/table.h"

#include <math.h>
#include <stdio.h>

#define MAX_SHOWN 20
#define MAX_MESSAGE_BYTES 300 /* fields of a file that is no table can be as long as the file */

static EchoStr take_until(EchoStr *rest, char separator)
{
  const char *found = rest->size > 0 ? memchr(rest->data, separator, rest->size) : NULL;
  size_t size = found != NULL ? (size_t)(found - rest->data) : rest->size;
  EchoStr taken = {rest->data, size};
  size_t skipped = found != NULL ? size + 1 : size;
  *rest = (EchoStr){rest->data + skipped, rest->size - skipped};
  return taken;
}

void table_complain(Table *table, size_t row, const char *format, ...)
{
  if (table->n_mistakes++ >= MAX_SHOWN)
    return;
  EchoBuffer text = {0};
  va_list arguments;
  va_start(arguments, format);
  echo_buffer_vprintf(&text, format, arguments);
  va_end(arguments);
  if (text.size > MAX_MESSAGE_BYTES)
    memcpy(text.data + MAX_MESSAGE_BYTES - 3, "...", 4);
  if (row == 0)
    fprintf(stderr, "%s: error: %s\n", table->path, echo_buffer_c_str(&text));
  else
    fprintf(stderr, "%s:%zu: error: row %zu: %s\n", table->path, table->rows.data[row - 1].line,
            row, echo_buffer_c_str(&text));
  echo_buffer_destroy(&text);
}

bool table_is_fine(const Table *table)
{
  if (table->n_mistakes > MAX_SHOWN)
    fprintf(stderr, "%s: and %zu more errors\n", table->path, table->n_mistakes - MAX_SHOWN);
  return table->n_mistakes == 0;
}

/* Which column of the schema each field of the file is. */
static size_t read_header(Table *table, const TableSchema *schema, EchoStr line, size_t *column_of)
{
  size_t n_fields = 0, next = 0;
  do {
    EchoStr name = echo_str_trim(take_until(&line, ','));
    size_t column = next;
    while (column < schema->n_columns && !echo_str_is(name, schema->columns[column]))
      column++;
    if (next < schema->n_required && column != next) {
      table_complain(table, 0, "line 1: column %zu must be '%s', not '%.*s'", next + 1,
                     schema->columns[next], ECHO_STR_ARG(name));
      return 0;
    }
    if (column == schema->n_columns) {
      table_complain(table, 0, "line 1: unknown, repeated or misplaced column '%.*s'",
                     ECHO_STR_ARG(name));
      return 0;
    }
    table->has_column[column] = true;
    column_of[n_fields++] = column;
    next = column + 1;
  } while (line.size > 0);
  if (next < schema->n_required) {
    table_complain(table, 0, "line 1: column '%s' is missing", schema->columns[next]);
    return 0;
  }
  return n_fields;
}

static void read_row(Table *table, EchoStr line, size_t number, size_t n_columns,
                     const size_t *column_of)
{
  TableRow row = {.line = number};
  size_t n_fields = 0;
  for (bool more = true; more; n_fields++) {
    more = memchr(line.data, ',', line.size) != NULL;
    EchoStr field = echo_str_trim(take_until(&line, ','));
    if (n_fields < n_columns)
      row.fields[column_of[n_fields]] = field;
  }
  echo_vector_push(&table->rows, row);
  if (n_fields != n_columns)
    table_complain(table, table->rows.size, "%zu fields where the header has %zu", n_fields,
                   n_columns);
}

bool table_read(Table *table, const char *path, const TableSchema *schema)
{
  *table = (Table){.path = path};
  EchoBuffer error = {0};
  if (!echo_file_read(path, &table->file, &error)) {
    table_complain(table, 0, "%s", echo_buffer_c_str(&error));
    echo_buffer_destroy(&error);
    return false;
  }
  EchoStr text = {table->file.data, table->file.size};
  EchoStr header = echo_str_trim(take_until(&text, '\n'));
  size_t column_of[TABLE_MAX_COLUMNS], n_columns;
  if (header.size == 0) {
    table_complain(table, 0, table->file.size == 0 ? "the file is empty" : "line 1: no header");
    return false;
  }
  n_columns = read_header(table, schema, header, column_of);
  for (size_t number = 2; n_columns > 0 && text.size > 0; number++) {
    EchoStr line = echo_str_trim(take_until(&text, '\n'));
    if (line.size > 0)
      read_row(table, line, number, n_columns, column_of);
  }
  if (table->n_mistakes == 0 && table->rows.size == 0)
    table_complain(table, 0, "the file has a header but no rows");
  return table_is_fine(table);
}

void table_destroy(Table *table)
{
  echo_vector_destroy(&table->rows);
  if (table->file.data != NULL)
    echo_file_close(&table->file);
}

int64_t table_i64(Table *table, size_t row, size_t column, const char *what)
{
  EchoStr field = table->rows.data[row - 1].fields[column];
  int64_t value = 0;
  if (!echo_str_to_i64(field, &value))
    table_complain(table, row, "%s '%.*s' is not an integer of 64 bits", what, ECHO_STR_ARG(field));
  return value;
}

uint64_t table_size(Table *table, size_t row, size_t column, const char *what)
{
  EchoStr field = table->rows.data[row - 1].fields[column];
  uint64_t value = 0;
  bool is_digits = field.size > 0;
  for (size_t i = 0; i < field.size; i++)
    is_digits = is_digits && field.data[i] >= '0' && field.data[i] <= '9';
  if (field.size > 0 && field.data[0] == '-')
    table_complain(table, row, "%s %.*s is negative", what, ECHO_STR_ARG(field));
  else if (!is_digits)
    table_complain(table, row, "%s '%.*s' is not a number of bytes", what, ECHO_STR_ARG(field));
  else if (!echo_str_to_u64(field, &value) || value >= UINT64_C(1) << 62)
    table_complain(table, row, "%s %.*s overflows: it must be below 2^62", what,
                   ECHO_STR_ARG(field));
  else
    return value;
  return 0;
}

double table_f64(Table *table, size_t row, size_t column, const char *what)
{
  EchoStr field = table->rows.data[row - 1].fields[column];
  double value = 0;
  if (!echo_str_to_f64(field, &value) || !isfinite(value) || value < 0) {
    table_complain(table, row, "%s '%.*s' is not a number from zero up", what, ECHO_STR_ARG(field));
    return 0;
  }
  return value;
}
