/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "tests/unit/suite.h"

static char directory[64];

static void enter_directory(void)
{
  snprintf(directory, sizeof directory, "/tmp/echo-file-test-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(directory));
  ck_assert_int_eq(chdir(directory), 0);
}

static void leave_directory(void)
{
  char command[256];
  snprintf(command, sizeof command, "chmod -R u+w %s; rm -rf %s", directory, directory);
  ck_assert_int_eq(system(command), 0);
}

static int n_entries_here(void)
{
  DIR *here = opendir(".");
  int n = 0;
  while (readdir(here) != NULL)
    ++n;
  closedir(here);
  return n - 2;
}

static void write_fine(const char *path, const void *data, size_t size)
{
  EchoBuffer error = {0};
  ck_assert_msg(echo_file_write(path, data, size, &error), "%s", echo_buffer_c_str(&error));
  ck_assert_uint_eq(error.size, 0);
}

static void assert_content(const char *path, const void *data, size_t size)
{
  EchoBuffer error = {0};
  EchoFile file;
  ck_assert_msg(echo_file_read(path, &file, &error), "%s", echo_buffer_c_str(&error));
  ck_assert_uint_eq(file.size, size);
  ck_assert_ptr_nonnull(file.data);
  ck_assert(size == 0 || memcmp(file.data, data, size) == 0);
  ck_assert_int_eq(file.data[size], 0);
  echo_file_close(&file);
}

static void assert_write_fails(const char *path, size_t size, const char *expected)
{
  EchoBuffer error = {0};
  char *data = echo_alloc_zero(size, 1);
  ck_assert(!echo_file_write(path, data, size, &error));
  ck_assert_str_eq(echo_buffer_c_str(&error), expected);
  echo_free(data);
  echo_buffer_destroy(&error);
}

START_TEST(each_size_reads_back)
{
  static const size_t SIZES[] = {
      0, 1, 4095, 4096, 4097, 256 << 10, 1024 << 10, 262143, (1024 << 10) + 1, 5 << 20};
  unsigned char *data = echo_alloc(5 << 20);
  for (size_t i = 0; i < 5 << 20; ++i)
    data[i] = (unsigned char)(i * 31 + i / 4096);
  for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; ++i) {
    write_fine("file", data, SIZES[i]);
    assert_content("file", data, SIZES[i]);
  }
  ck_assert_int_eq(n_entries_here(), 1);
  echo_free(data);
}
END_TEST

START_TEST(what_is_not_there_is_said)
{
  EchoBuffer error = {0};
  EchoFile file;
  ck_assert(!echo_file_read("missing", &file, &error));
  ck_assert_str_eq(error.data, "cannot open 'missing': No such file or directory");
  echo_buffer_clear(&error);
  ck_assert(!echo_file_read(".", &file, &error));
  ck_assert_str_eq(error.data, "cannot read '.': Is a directory");
  echo_buffer_destroy(&error);
  assert_write_fails("missing/file", 1, "cannot write 'missing/file': No such file or directory");
  assert_write_fails(".", 1, "cannot write '.': Is a directory");
}
END_TEST

START_TEST(streams_are_read_to_their_end)
{
  int ends[2];
  ck_assert_int_eq(pipe(ends), 0);
  if (fork() == 0) {
    char block[1000];
    memset(block, 'p', sizeof block);
    for (int i = 0; i < 500; ++i)
      if (write(ends[1], block, sizeof block) != sizeof block)
        _exit(1);
    _exit(0);
  }
  close(ends[1]);
  dup2(ends[0], STDIN_FILENO);
  EchoBuffer error = {0};
  EchoFile file;
  ck_assert(echo_file_read("-", &file, &error));
  ck_assert_uint_eq(file.size, 500000);
  ck_assert_int_eq(file.data[499999], 'p');
  ck_assert_int_eq(file.data[500000], 0);
  echo_file_close(&file);
  assert_content("/dev/null", "", 0);
}
END_TEST

START_TEST(replacing_keeps_mode_and_link)
{
  write_fine("target", "old", 3);
  ck_assert_int_eq(chmod("target", 0640), 0);
  ck_assert_int_eq(symlink("target", "link"), 0);
  write_fine("link", "new", 3);
  assert_content("target", "new", 3);
  struct stat status;
  ck_assert_int_eq(lstat("link", &status), 0);
  ck_assert(S_ISLNK(status.st_mode));
  ck_assert_int_eq(stat("target", &status), 0);
  ck_assert_uint_eq(status.st_mode & 07777, 0640);
  umask(027);
  write_fine("fresh", "x", 1);
  ck_assert_int_eq(stat("fresh", &status), 0);
  ck_assert_uint_eq(status.st_mode & 07777, 0640);
  ck_assert_int_eq(n_entries_here(), 3);
}
END_TEST

/* A reader that has the old file open goes on seeing all of it. */
START_TEST(replacing_leaves_open_readers_alone)
{
  size_t size = 1 << 20;
  char *data = echo_alloc(size);
  memset(data, 'o', size);
  write_fine("file", data, size);
  EchoBuffer error = {0};
  EchoFile file;
  ck_assert(echo_file_read("file", &file, &error));
  write_fine("file", "n", 1);
  ck_assert_uint_eq(file.size, size);
  ck_assert_int_eq(memcmp(file.data, data, size), 0);
  echo_file_close(&file);
  echo_free(data);
}
END_TEST

/* RLIMIT_FSIZE stands for a full disk: part of the data fits, the rest does not. */
START_TEST(full_disk_leaves_the_old_file)
{
  write_fine("file", "old", 3);
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit limit = {10000, 10000};
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
  assert_write_fails("file", 100000, "cannot write 'file': File too large");
  assert_content("file", "old", 3);
  assert_write_fails("other", 100000, "cannot write 'other': File too large");
  ck_assert_int_eq(n_entries_here(), 1);
}
END_TEST

START_TEST(devices_are_written_in_place)
{
  assert_write_fails("/dev/full", 10, "cannot write '/dev/full': No space left on device");
  write_fine("/dev/null", "x", 1);
  struct stat status;
  ck_assert_int_eq(stat("/dev/null", &status), 0);
  ck_assert(S_ISCHR(status.st_mode));
}
END_TEST

START_TEST(full_standard_output_is_said)
{
  int full = open("/dev/full", O_WRONLY);
  ck_assert_int_ge(full, 0);
  int saved = dup(STDOUT_FILENO);
  dup2(full, STDOUT_FILENO);
  assert_write_fails("-", 10, "cannot write standard output: No space left on device");
  dup2(saved, STDOUT_FILENO);
}
END_TEST

START_TEST(pieces_are_seen_when_they_are_whole)
{
  EchoBuffer error = {0};
  EchoFileWriter writer;
  write_fine("file", "old", 3);
  ck_assert(echo_file_writer_open(&writer, "file", &error));
  ck_assert(echo_file_writer_append(&writer, "ne", 2, &error));
  assert_content("file", "old", 3);
  ck_assert(echo_file_writer_append(&writer, "w", 1, &error));
  ck_assert(echo_file_writer_commit(&writer, &error));
  assert_content("file", "new", 3);
  ck_assert(echo_file_writer_open(&writer, "file", &error));
  ck_assert(echo_file_writer_append(&writer, "part", 4, &error));
  echo_file_writer_abort(&writer);
  assert_content("file", "new", 3);
  ck_assert_int_eq(n_entries_here(), 1);
  ck_assert_uint_eq(error.size, 0);
}
END_TEST

START_TEST(what_is_forgotten_is_read_again)
{
  enum { SIZE = 1 << 20 };
  unsigned char *data = echo_alloc(SIZE);
  for (size_t i = 0; i < SIZE; ++i)
    data[i] = (unsigned char)(i * 31 + i / 4096);
  write_fine("file", data, SIZE);
  EchoBuffer error = {0};
  EchoFile file;
  ck_assert(echo_file_read("file", &file, &error));
  ck_assert(echo_file_is_mapping_of(&file, (EchoStr){file.data + 5, SIZE - 5}));
  ck_assert(!echo_file_is_mapping_of(&file, (EchoStr){file.data + 5, SIZE - 4}));
  ck_assert(!echo_file_is_mapping_of(&file, (EchoStr){(const char *)data, 1}));
  ck_assert_ptr_eq(echo_file_forget_range(file.data + 1, file.data + 4097), file.data + 4096);
  ck_assert_ptr_eq(echo_file_forget_range(file.data + 4100, file.data + SIZE), file.data + SIZE);
  ck_assert_mem_eq(file.data, data, SIZE);
  echo_file_close(&file);
  echo_free(data);
}
END_TEST

START_TEST(unwritable_directory)
{
  ck_assert_int_eq(mkdir("locked", 0777), 0);
  write_fine("locked/file", "old", 3);
  ck_assert_int_eq(chmod(".", 0755), 0);
  ck_assert_int_eq(chmod("locked", 0555), 0);
  if (geteuid() == 0)
    ck_assert_int_eq(seteuid(65534), 0); /* the superuser is refused nothing */
  assert_write_fails("locked/file", 1, "cannot write 'locked/file': Permission denied");
  assert_write_fails("locked/new", 1, "cannot write 'locked/new': Permission denied");
  assert_content("locked/file", "old", 3);
  EchoBuffer error = {0};
  ck_assert(!echo_directory_create("locked/a/b", &error));
  ck_assert_str_eq(error.data, "cannot create directory 'locked/a': Permission denied");
  echo_buffer_destroy(&error);
  if (getuid() == 0)
    ck_assert_int_eq(seteuid(0), 0);
}
END_TEST

START_TEST(directories_with_parents)
{
  EchoBuffer error = {0};
  char absolute[128];
  snprintf(absolute, sizeof absolute, "%s/x/y/z", directory);
  ck_assert(echo_directory_create("a/b//c/", &error));
  ck_assert(echo_directory_create("a/b/c", &error)); /* again */
  ck_assert(echo_directory_create(absolute, &error));
  ck_assert(echo_directory_create(".", &error));
  ck_assert_uint_eq(error.size, 0);
  write_fine("a/b/c/file", "x", 1);
  assert_content("a/b/c/file", "x", 1);
  ck_assert(!echo_directory_create("a/b/c/file/d", &error));
  ck_assert_str_eq(error.data, "cannot create directory 'a/b/c/file': File exists");
  echo_buffer_clear(&error);
  ck_assert(!echo_directory_create("", &error));
  ck_assert_str_eq(error.data, "cannot create directory '': No such file or directory");
  echo_buffer_destroy(&error);
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("file");
  TCase *cases = tcase_create("file");
  tcase_add_checked_fixture(cases, enter_directory, leave_directory);
  tcase_add_test(cases, each_size_reads_back);
  tcase_add_test(cases, what_is_not_there_is_said);
  tcase_add_test(cases, streams_are_read_to_their_end);
  tcase_add_test(cases, replacing_keeps_mode_and_link);
  tcase_add_test(cases, replacing_leaves_open_readers_alone);
  tcase_add_test(cases, full_disk_leaves_the_old_file);
  tcase_add_test(cases, devices_are_written_in_place);
  tcase_add_test(cases, full_standard_output_is_said);
  tcase_add_test(cases, pieces_are_seen_when_they_are_whole);
  tcase_add_test(cases, what_is_forgotten_is_read_again);
  tcase_add_test(cases, unwritable_directory);
  tcase_add_test(cases, directories_with_parents);
  suite_add_tcase(suite, cases);
  return echo_test_run(suite);
}
