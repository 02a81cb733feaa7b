/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Decisions about products on disk: a file each, named by a hash of its key, written once.
 *   echo product 1
 *   the key
 *   own                     or: library, bytes of workspace, the algorithm's eight words */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "jit/runtime/cuda/cublaslt_t.h"

static const char FIRST_LINE[] = "echo product 1\n";
enum { N_WORDS = 8 };

static void print_path(const char *cache_dir, EchoStr key, EchoBuffer *path)
{
  echo_buffer_printf(path, "%s/product-%016" PRIx64 ".txt", cache_dir,
                     echo_hash_bytes(key.data, key.size, 0));
}

static void print_choice(EchoStr key, const EchoProductChoice *choice, EchoBuffer *text)
{
  echo_buffer_printf(text, "%s%.*s\n", FIRST_LINE, ECHO_STR_ARG(key));
  if (!choice->is_library) {
    echo_buffer_append_c(text, "own\n");
    return;
  }
  echo_buffer_printf(text, "library %" PRIu64, choice->workspace_bytes);
  for (size_t i = 0; i < N_WORDS; i++)
    echo_buffer_printf(text, " %" PRIx64, choice->algo.data[i]);
  echo_buffer_append_char(text, '\n');
}

/* Takes `prefix` from the front of *text; false where it is not there. */
static bool take(EchoStr *text, EchoStr prefix)
{
  if (text->size < prefix.size || memcmp(text->data, prefix.data, prefix.size) != 0)
    return false;
  *text = (EchoStr){text->data + prefix.size, text->size - prefix.size};
  return true;
}

/* False where the text is not of this form, or of another key. */
static bool parse_choice(EchoStr text, EchoStr key, EchoProductChoice *choice)
{
  char line[256] = "";
  int end = 0;
  uint64_t *w = choice->algo.data;
  *choice = (EchoProductChoice){0};
  if (!take(&text, echo_str(FIRST_LINE)) || !take(&text, key) || !take(&text, echo_str("\n")) ||
      text.size >= sizeof line)
    return false;
  memcpy(line, text.data, text.size);
  if (strcmp(line, "own\n") == 0)
    return true;
  choice->is_library = true;
  int n = sscanf(line,
                 "library %" SCNu64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64 " %" SCNx64
                 " %" SCNx64 " %" SCNx64 " %" SCNx64 "%n",
                 &choice->workspace_bytes, &w[0], &w[1], &w[2], &w[3], &w[4], &w[5], &w[6], &w[7],
                 &end);
  return n == N_WORDS + 1 && strcmp(line + end, "\n") == 0;
}

static bool read_choice(const char *cache_dir, EchoStr key, EchoProductChoice *choice)
{
  EchoBuffer path = {0}, error = {0};
  EchoFile file;
  print_path(cache_dir, key, &path);
  bool is_there = echo_file_read(echo_buffer_c_str(&path), &file, &error);
  bool ok = is_there && parse_choice((EchoStr){file.data, file.size}, key, choice);
  if (is_there)
    echo_file_close(&file);
  echo_buffer_destroy(&path);
  echo_buffer_destroy(&error);
  return ok;
}

static void remember(EchoCublasLt *lt, EchoStr key, const EchoProductChoice *choice)
{
  EchoStr kept = {echo_arena_copy_string(&lt->keys, key.data, key.size), key.size};
  echo_string_map_set(&lt->numbers, kept, lt->choices.size);
  echo_vector_push(&lt->choices, *choice);
}

bool echo_cublaslt_choice(EchoCublasLt *lt, const char *cache_dir, EchoStr key,
                          EchoProductChoice *choice)
{
  uint64_t number;
  if (echo_string_map_get(&lt->numbers, key, &number)) {
    *choice = lt->choices.data[number];
    return true;
  }
  if (cache_dir == NULL || !read_choice(cache_dir, key, choice))
    return false;
  remember(lt, key, choice);
  return true;
}

/* link() fails where the name is taken: of many processes one writes it. What cannot be read there
 * is replaced. */
static void write_choice(const char *cache_dir, EchoStr key, EchoProductChoice *choice)
{
  EchoBuffer path = {0}, own = {0}, text = {0}, error = {0};
  print_path(cache_dir, key, &path);
  print_choice(key, choice, &text);
  echo_buffer_printf(&own, "%s.%ld", echo_buffer_c_str(&path), (long)getpid());
  if (echo_file_write(echo_buffer_c_str(&own), text.data, text.size, &error)) {
    EchoProductChoice kept;
    if (link(echo_buffer_c_str(&own), echo_buffer_c_str(&path)) != 0) {
      if (read_choice(cache_dir, key, &kept))
        *choice = kept;
      else
        (void)rename(echo_buffer_c_str(&own), echo_buffer_c_str(&path));
    }
    (void)unlink(echo_buffer_c_str(&own));
  }
  echo_buffer_destroy(&path);
  echo_buffer_destroy(&own);
  echo_buffer_destroy(&text);
  echo_buffer_destroy(&error);
}

void echo_cublaslt_choose(EchoCublasLt *lt, const char *cache_dir, EchoStr key,
                          EchoProductChoice *choice)
{
  if (cache_dir != NULL)
    write_choice(cache_dir, key, choice);
  remember(lt, key, choice);
}
