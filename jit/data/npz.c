/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/data/npz.h"

#include <zlib.h>

#include "base/file.h"
#include "jit/data/npy.h"

/* Signatures and sizes of the records (APPNOTE 4.3). */
#define LOCAL_SIGNATURE 0x04034b50u
#define CENTRAL_SIGNATURE 0x02014b50u
#define END_SIGNATURE 0x06054b50u
#define END64_SIGNATURE 0x06064b50u
#define LOCATOR64_SIGNATURE 0x07064b50u
enum {
  LOCAL_BYTES = 30,
  CENTRAL_BYTES = 46,
  END_BYTES = 22,
  END64_BYTES = 56,
  LOCATOR64_BYTES = 20,
  MAX_COMMENT = 65535,
  EXTRA64 = 0x0001, /* header id of the zip64 extra field */
  METHOD_STORED = 0,
  METHOD_DEFLATED = 8,
  FLAG_ENCRYPTED = 1,
  FLAG_UTF8 = 1 << 11,
  VERSION_ZIP64 = 45,
  DATE_1980 = 1 << 5 | 1
};
#define NO_U32 0xffffffffu

/* Deflate never shrinks more than this, so a size beyond it is a lie. */
#define MAX_DEFLATE_RATIO 1032u

typedef struct Entry {
  EchoStr name;
  uint64_t compressed, size, offset;
  uint32_t crc;
  unsigned method, flags;
} Entry;

/* ---- reading ---- */

static uint64_t get(const char *at, unsigned bytes)
{
  uint64_t value = 0;
  for (unsigned i = bytes; i-- > 0;)
    value = value << 8 | (unsigned char)at[i];
  return value;
}

static bool corrupt(EchoBuffer *error, const char *what)
{
  echo_buffer_printf(error, "the .npz archive is corrupt or cut off: %s", what);
  return false;
}

/* Where the directory lies: *begin, *n_bytes, *n_entries. */
static bool find_directory(EchoStr file, uint64_t *begin, uint64_t *n_bytes, uint64_t *n_entries,
                           EchoBuffer *error)
{
  if (file.size < END_BYTES)
    return corrupt(error, "it has no directory");
  size_t last = file.size - END_BYTES;
  size_t first = last > MAX_COMMENT ? last - MAX_COMMENT : 0, at = last;
  while (get(file.data + at, 4) != END_SIGNATURE ||
         at + END_BYTES + get(file.data + at + 20, 2) != file.size)
    if (at-- == first)
      return corrupt(error, "it has no directory");
  const char *end = file.data + at;
  *n_entries = get(end + 10, 2);
  *n_bytes = get(end + 12, 4);
  *begin = get(end + 16, 4);
  bool is_zip64 = at >= LOCATOR64_BYTES && get(end - LOCATOR64_BYTES, 4) == LOCATOR64_SIGNATURE &&
                  (*n_entries == 0xffff || *n_bytes == NO_U32 || *begin == NO_U32);
  if (is_zip64) {
    uint64_t where = get(end - LOCATOR64_BYTES + 8, 8);
    if (where > file.size || file.size - where < END64_BYTES ||
        get(file.data + where, 4) != END64_SIGNATURE)
      return corrupt(error, "its zip64 directory is missing");
    const char *end64 = file.data + where;
    *n_entries = get(end64 + 32, 8);
    *n_bytes = get(end64 + 40, 8);
    *begin = get(end64 + 48, 8);
  }
  if (*begin > file.size || *n_bytes > file.size - *begin || *n_entries > *n_bytes / CENTRAL_BYTES)
    return corrupt(error, "its directory lies outside the file");
  return true;
}

/* Takes the 64-bit sizes that the extra field holds in place of those that are all ones. */
static bool read_extra(const char *extra, size_t size, Entry *entry)
{
  uint64_t *wide[] = {&entry->size, &entry->compressed, &entry->offset};
  while (size >= 4) {
    unsigned id = (unsigned)get(extra, 2);
    size_t length = (size_t)get(extra + 2, 2);
    if (length > size - 4)
      return false;
    if (id == EXTRA64) {
      const char *at = extra + 4, *end = at + length;
      for (size_t i = 0; i < 3; i++) {
        if (*wide[i] != NO_U32)
          continue;
        if (end - at < 8)
          return false;
        *wide[i] = get(at, 8);
        at += 8;
      }
      return true;
    }
    extra += 4 + length;
    size -= 4 + length;
  }
  return true;
}

/* One record of the directory; *at moves past it. */
static bool read_entry(const char **at, const char *end, Entry *entry, EchoBuffer *error)
{
  const char *record = *at;
  if (end - record < CENTRAL_BYTES || get(record, 4) != CENTRAL_SIGNATURE)
    return corrupt(error, "its directory is broken");
  *entry = (Entry){.flags = (unsigned)get(record + 8, 2),
                   .method = (unsigned)get(record + 10, 2),
                   .crc = (uint32_t)get(record + 16, 4),
                   .compressed = get(record + 20, 4),
                   .size = get(record + 24, 4),
                   .offset = get(record + 42, 4)};
  size_t n_name = (size_t)get(record + 28, 2), n_extra = (size_t)get(record + 30, 2);
  size_t n_comment = (size_t)get(record + 32, 2);
  if ((size_t)(end - record) - CENTRAL_BYTES < n_name + n_extra + n_comment)
    return corrupt(error, "its directory is broken");
  entry->name = (EchoStr){record + CENTRAL_BYTES, n_name};
  *at = record + CENTRAL_BYTES + n_name + n_extra + n_comment;
  if (!read_extra(record + CENTRAL_BYTES + n_name, n_extra, entry))
    return corrupt(error, "a zip64 size is missing");
  return true;
}

/* The compressed bytes of an entry, behind its local header. */
static bool locate(EchoStr file, const Entry *entry, EchoStr *bytes, EchoBuffer *error)
{
  if (entry->offset > file.size || file.size - entry->offset < LOCAL_BYTES)
    return corrupt(error, "an array lies outside the file");
  const char *local = file.data + entry->offset;
  if (get(local, 4) != LOCAL_SIGNATURE)
    return corrupt(error, "an array is not where the directory says");
  uint64_t head = LOCAL_BYTES + get(local + 26, 2) + get(local + 28, 2);
  uint64_t left = file.size - entry->offset;
  if (head > left || entry->compressed > left - head)
    return corrupt(error, "an array lies outside the file");
  *bytes = (EchoStr){local + head, (size_t)entry->compressed};
  return true;
}

/* Inflates raw deflate data of a known size, in pieces that zlib's 32-bit counts can take. */
static bool inflate_all(EchoStr from, char *to, uint64_t size)
{
  enum { PIECE = 1 << 30 };
  z_stream stream = {0};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return false;
  stream.next_in = (Bytef *)(uintptr_t)from.data;
  stream.next_out = (Bytef *)to;
  size_t in_left = from.size;
  uint64_t out_left = size;
  int status = Z_OK;
  while (status == Z_OK) {
    uInt in_now = in_left < PIECE ? (uInt)in_left : PIECE;
    uInt out_now = out_left < PIECE ? (uInt)out_left : PIECE;
    stream.avail_in = in_now;
    stream.avail_out = out_now;
    status = inflate(&stream, Z_NO_FLUSH);
    in_left -= in_now - stream.avail_in;
    out_left -= out_now - stream.avail_out;
    if (status == Z_OK && in_now == stream.avail_in && out_now == stream.avail_out)
      status = Z_BUF_ERROR; /* no progress */
  }
  inflateEnd(&stream);
  return status == Z_STREAM_END && out_left == 0 && in_left == 0;
}

static uint32_t checksum(const char *data, uint64_t size)
{
  return (uint32_t)crc32_z(0, (const Bytef *)data, (size_t)size);
}

/* The entry's content in *content; *owned is memory to free, or NULL. */
static bool unpack(EchoStr file, const Entry *entry, EchoStr *content, char **owned,
                   EchoBuffer *error)
{
  *owned = NULL;
  if (!locate(file, entry, content, error))
    return false;
  if (entry->method == METHOD_STORED) {
    if (entry->size != entry->compressed)
      return corrupt(error, "a stored array has two sizes");
  } else {
    if (entry->size / MAX_DEFLATE_RATIO > entry->compressed)
      return corrupt(error, "an array is larger than its data can be");
    *owned = echo_alloc_array((size_t)entry->size + 1, 1);
    if (!inflate_all(*content, *owned, entry->size))
      return corrupt(error, "an array cannot be decompressed");
    *content = (EchoStr){*owned, (size_t)entry->size};
  }
  if (checksum(content->data, content->size) != entry->crc)
    return corrupt(error, "an array's checksum is wrong");
  return true;
}

static EchoStr array_name(EchoStr name)
{
  static const char suffix[] = ".npy";
  size_t size = sizeof suffix - 1;
  if (name.size > size && memcmp(name.data + name.size - size, suffix, size) == 0)
    name.size -= size;
  return name;
}

static bool read_array(EchoContext *ctx, EchoStr file, const Entry *entry, EchoTensorSet *set,
                       EchoBuffer *error)
{
  EchoStr name = array_name(entry->name);
  if (entry->flags & FLAG_ENCRYPTED ||
      (entry->method != METHOD_STORED && entry->method != METHOD_DEFLATED)) {
    echo_buffer_printf(error,
                       "'%.*s' is encrypted or packed in a way that is not known (method %u)",
                       ECHO_STR_ARG(name), entry->method);
    return false;
  }
  EchoStr content;
  char *owned;
  EchoTensor *tensor = NULL;
  EchoBuffer reason = {0};
  bool ok = unpack(file, entry, &content, &owned, &reason) &&
            (tensor = echo_npy_parse_or_null(ctx, content, &reason)) != NULL;
  if (ok && !echo_tensor_set_add(set, name, tensor)) {
    echo_buffer_append_c(&reason, "is given twice");
    echo_tensor_destroy(tensor);
    ok = false;
  }
  if (!ok)
    echo_buffer_printf(error, "'%.*s': %s", ECHO_STR_ARG(name), echo_buffer_c_str(&reason));
  echo_buffer_destroy(&reason);
  echo_free(owned);
  return ok;
}

bool echo_npz_parse(EchoContext *ctx, EchoStr bytes, EchoTensorSet *set, EchoBuffer *error)
{
  if (ctx == NULL || bytes.data == NULL || set == NULL) {
    echo_buffer_printf(error, "arrays are read: '%s' is NULL",
                       ctx == NULL          ? "ctx"
                       : bytes.data == NULL ? "bytes"
                                            : "set");
    return false;
  }
  uint64_t begin, n_bytes, n_entries;
  if (!find_directory(bytes, &begin, &n_bytes, &n_entries, error))
    return false;
  const char *at = bytes.data + begin, *end = at + n_bytes;
  for (uint64_t i = 0; i < n_entries; i++) {
    Entry entry;
    if (!read_entry(&at, end, &entry, error) || !read_array(ctx, bytes, &entry, set, error))
      return false;
  }
  return true;
}

/* ---- writing ---- */

static void put(EchoBuffer *out, uint64_t value, unsigned bytes)
{
  for (unsigned i = 0; i < bytes; i++)
    echo_buffer_append_char(out, (char)(value >> (8 * i) & 0xff));
}

static uint64_t or_ones(uint64_t value, bool is_wide)
{
  return is_wide ? NO_U32 : value;
}

/* What local header and directory record have in common, from "flags" to "uncompressed size". */
static void put_common(EchoBuffer *out, const Entry *entry, bool is_wide)
{
  put(out, entry->flags, 2);
  put(out, entry->method, 2);
  put(out, 0, 2); /* time */
  put(out, DATE_1980, 2);
  put(out, entry->crc, 4);
  put(out, or_ones(entry->compressed, is_wide), 4);
  put(out, or_ones(entry->size, is_wide), 4);
}

static void put_local(EchoBuffer *out, const Entry *entry)
{
  bool is_wide = entry->size >= NO_U32 || entry->compressed >= NO_U32;
  put(out, LOCAL_SIGNATURE, 4);
  put(out, is_wide ? VERSION_ZIP64 : 20, 2);
  put_common(out, entry, is_wide);
  put(out, entry->name.size, 2);
  put(out, is_wide ? 20 : 0, 2);
  echo_buffer_append_str(out, entry->name);
  if (!is_wide)
    return;
  put(out, EXTRA64, 2);
  put(out, 16, 2);
  put(out, entry->size, 8);
  put(out, entry->compressed, 8);
}

static void put_central(EchoBuffer *out, const Entry *entry)
{
  bool is_wide = entry->size >= NO_U32 || entry->compressed >= NO_U32 || entry->offset >= NO_U32;
  put(out, CENTRAL_SIGNATURE, 4);
  put(out, is_wide ? VERSION_ZIP64 : 20, 2);
  put(out, is_wide ? VERSION_ZIP64 : 20, 2);
  put_common(out, entry, is_wide);
  put(out, entry->name.size, 2);
  put(out, is_wide ? 28 : 0, 2);
  put(out, 0, 6); /* comment, disk, inner attributes */
  put(out, 0, 4); /* outer attributes */
  put(out, or_ones(entry->offset, is_wide), 4);
  echo_buffer_append_str(out, entry->name);
  if (!is_wide)
    return;
  put(out, EXTRA64, 2);
  put(out, 24, 2);
  put(out, entry->size, 8);
  put(out, entry->compressed, 8);
  put(out, entry->offset, 8);
}

static void put_end(EchoBuffer *out, uint64_t begin, uint64_t n_entries)
{
  uint64_t n_bytes = out->size - begin, end64 = out->size;
  bool is_wide = begin >= NO_U32 || n_bytes >= NO_U32 || n_entries >= 0xffff;
  if (is_wide) {
    put(out, END64_SIGNATURE, 4);
    put(out, END64_BYTES - 12, 8);
    put(out, VERSION_ZIP64, 2);
    put(out, VERSION_ZIP64, 2);
    put(out, 0, 8); /* disks */
    put(out, n_entries, 8);
    put(out, n_entries, 8);
    put(out, n_bytes, 8);
    put(out, begin, 8);
    put(out, LOCATOR64_SIGNATURE, 4);
    put(out, 0, 4);
    put(out, end64, 8);
    put(out, 1, 4);
  }
  put(out, END_SIGNATURE, 4);
  put(out, 0, 4); /* disks */
  put(out, is_wide ? 0xffff : n_entries, 2);
  put(out, is_wide ? 0xffff : n_entries, 2);
  put(out, is_wide ? NO_U32 : n_bytes, 4);
  put(out, is_wide ? NO_U32 : begin, 4);
  put(out, 0, 2); /* comment */
}

/* Raw deflate of all of `from` into *to. */
static void deflate_all(EchoStr from, EchoBuffer *to)
{
  enum { PIECE = 1 << 20 };
  z_stream stream = {0};
  int status =
      deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  ECHO_CHECK(status == Z_OK, "zlib does not start: %d", status);
  size_t left = from.size;
  stream.next_in = (Bytef *)(uintptr_t)from.data;
  while (status != Z_STREAM_END) {
    uInt now = left < PIECE ? (uInt)left : PIECE;
    stream.avail_in = now;
    echo_buffer_reserve(to, PIECE + 1);
    stream.next_out = (Bytef *)(to->data + to->size);
    stream.avail_out = PIECE;
    status = deflate(&stream, now == left ? Z_FINISH : Z_NO_FLUSH);
    ECHO_CHECK(status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR, "zlib fails: %d",
               status);
    left -= now - stream.avail_in;
    to->size += PIECE - stream.avail_out;
    to->data[to->size] = '\0';
  }
  deflateEnd(&stream);
}

static void put_array(EchoBuffer *out, const EchoTensor *tensor, EchoNpzCompression compression,
                      Entry *entry)
{
  EchoBuffer array = {0}, packed = {0};
  echo_npy_append(tensor, &array);
  EchoStr content = echo_buffer_str(&array);
  entry->crc = checksum(content.data, content.size);
  entry->size = content.size;
  if (compression == ECHO_NPZ_DEFLATED) {
    deflate_all(content, &packed);
    content = echo_buffer_str(&packed);
    entry->method = METHOD_DEFLATED;
  }
  entry->compressed = content.size;
  entry->offset = out->size;
  put_local(out, entry);
  echo_buffer_append_str(out, content);
  echo_buffer_destroy(&array);
  echo_buffer_destroy(&packed);
}

bool echo_npz_write(const char *path, const EchoTensorSet *set, EchoNpzCompression compression,
                    EchoBuffer *error)
{
  if (path == NULL || set == NULL) {
    echo_buffer_printf(error, "arrays are written: '%s' is NULL", path == NULL ? "path" : "set");
    return false;
  }
  if ((unsigned)compression > ECHO_NPZ_DEFLATED) {
    echo_buffer_printf(error, "arrays are written: 'compression' is %d, none", (int)compression);
    return false;
  }
  EchoBuffer file = {0};
  EchoArena names = {0};
  Entry *entries = echo_alloc_zero(set->list.size + 1, sizeof *entries);
  bool ok = true;
  for (size_t i = 0; i < set->list.size && ok; i++) {
    const EchoNamedTensor *named = &set->list.data[i];
    EchoBuffer name = {0};
    echo_buffer_append_str(&name, named->name);
    echo_buffer_append_c(&name, ".npy");
    ok = name.size <= 0xffff;
    if (!ok)
      echo_buffer_printf(error, "cannot write '%s': an array's name is too long", path);
    entries[i].name = (EchoStr){echo_arena_copy_string(&names, name.data, name.size), name.size};
    entries[i].flags = FLAG_UTF8;
    echo_buffer_destroy(&name);
    if (ok)
      put_array(&file, named->tensor, compression, &entries[i]);
  }
  uint64_t begin = file.size;
  for (size_t i = 0; i < set->list.size; i++)
    put_central(&file, &entries[i]);
  put_end(&file, begin, set->list.size);
  ok = ok && echo_file_write(path, file.data, file.size, error);
  echo_free(entries);
  echo_arena_destroy(&names);
  echo_buffer_destroy(&file);
  return ok;
}
