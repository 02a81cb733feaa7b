/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Decisions on disk: a file each, named by a hash of its key, written once.
 *   echo product 1
 *   the key
 *   own                     or: library, bytes of workspace, the algorithm's words */
#include "jit/runtime/cuda/choices_t.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"

static void print_path(const EchoLibraryChoices *choices, const char *cache_dir, EchoStr key,
                       EchoBuffer *path)
{
  echo_buffer_printf(path, "%s/%s-%016" PRIx64 ".txt", cache_dir, choices->what,
                     echo_hash_bytes(key.data, key.size, 0));
}

static void print_head(const EchoLibraryChoices *choices, EchoStr key, EchoBuffer *text)
{
  echo_buffer_printf(text, "echo %s 1\n%.*s\n", choices->what, ECHO_STR_ARG(key));
}

static void print_choice(const EchoLibraryChoices *choices, EchoStr key,
                         const EchoLibraryChoice *choice, EchoBuffer *text)
{
  print_head(choices, key, text);
  if (!choice->is_library) {
    echo_buffer_append_c(text, "own\n");
    return;
  }
  echo_buffer_printf(text, "library %" PRIu64, choice->workspace_bytes);
  for (size_t i = 0; i < choice->n_words; i++)
    echo_buffer_printf(text, " %" PRIx64, choice->words[i]);
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

/* A number behind one space; false where none is there. */
static bool take_number(EchoStr *text, int base, uint64_t *number)
{
  char digits[24] = "", *end;
  size_t n = 1;
  if (text->size < 2 || text->data[0] != ' ')
    return false;
  while (n < text->size && n < sizeof digits && strchr(" \n", text->data[n]) == NULL) {
    digits[n - 1] = text->data[n];
    n++;
  }
  if (n == 1 || n == sizeof digits || strchr("+-", digits[0]) != NULL)
    return false;
  *number = strtoull(digits, &end, base);
  *text = (EchoStr){text->data + n, text->size - n};
  return *end == '\0';
}

/* False where the text is not of this form, or of another key. */
static bool parse_choice(const EchoLibraryChoices *choices, EchoStr text, EchoStr key,
                         EchoLibraryChoice *choice)
{
  EchoBuffer head = {0};
  *choice = (EchoLibraryChoice){0};
  print_head(choices, key, &head);
  bool is_of_key = take(&text, echo_buffer_str(&head));
  echo_buffer_destroy(&head);
  if (!is_of_key)
    return false;
  if (echo_str_is(text, "own\n"))
    return true;
  choice->is_library = true;
  if (!take(&text, echo_str("library")) || !take_number(&text, 10, &choice->workspace_bytes))
    return false;
  while (choice->n_words < ECHO_CHOICE_WORDS &&
         take_number(&text, 16, &choice->words[choice->n_words]))
    choice->n_words++;
  return choice->n_words != 0 && echo_str_is(text, "\n");
}

static bool read_choice(const EchoLibraryChoices *choices, const char *cache_dir, EchoStr key,
                        EchoLibraryChoice *choice)
{
  EchoBuffer path = {0}, error = {0};
  EchoFile file;
  print_path(choices, cache_dir, key, &path);
  bool is_there = echo_file_read(echo_buffer_c_str(&path), &file, &error);
  bool ok = is_there && parse_choice(choices, (EchoStr){file.data, file.size}, key, choice);
  if (is_there)
    echo_file_close(&file);
  echo_buffer_destroy(&path);
  echo_buffer_destroy(&error);
  return ok;
}

static void remember(EchoLibraryChoices *choices, EchoStr key, const EchoLibraryChoice *choice)
{
  EchoStr kept = {echo_arena_copy_string(&choices->keys, key.data, key.size), key.size};
  echo_string_map_set(&choices->numbers, kept, choices->choices.size);
  echo_vector_push(&choices->choices, *choice);
}

bool echo_library_choice(EchoLibraryChoices *choices, const char *cache_dir, EchoStr key,
                         EchoLibraryChoice *choice)
{
  uint64_t number;
  if (echo_string_map_get(&choices->numbers, key, &number)) {
    *choice = choices->choices.data[number];
    return true;
  }
  if (cache_dir == NULL || !read_choice(choices, cache_dir, key, choice))
    return false;
  remember(choices, key, choice);
  return true;
}

/* link() fails where the name is taken: of many processes one writes it. What cannot be read there
 * is replaced. */
static void write_choice(const EchoLibraryChoices *choices, const char *cache_dir, EchoStr key,
                         EchoLibraryChoice *choice)
{
  EchoBuffer path = {0}, own = {0}, text = {0}, error = {0};
  print_path(choices, cache_dir, key, &path);
  print_choice(choices, key, choice, &text);
  echo_buffer_printf(&own, "%s.%ld", echo_buffer_c_str(&path), (long)getpid());
  if (echo_file_write(echo_buffer_c_str(&own), text.data, text.size, &error)) {
    EchoLibraryChoice kept;
    if (link(echo_buffer_c_str(&own), echo_buffer_c_str(&path)) != 0) {
      if (read_choice(choices, cache_dir, key, &kept))
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

void echo_library_choose(EchoLibraryChoices *choices, const char *cache_dir, EchoStr key,
                         EchoLibraryChoice *choice)
{
  if (cache_dir != NULL)
    write_choice(choices, cache_dir, key, choice);
  remember(choices, key, choice);
}

void echo_library_choices_destroy(EchoLibraryChoices *choices)
{
  echo_string_map_destroy(&choices->numbers);
  echo_vector_destroy(&choices->choices);
  echo_arena_destroy(&choices->keys);
}
