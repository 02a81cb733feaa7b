/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jit/runtime/device.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

#include "jit/runtime/cuda/cuda_t.h"
#include "jit/runtime/device_t.h"
#include "jit/runtime/kept_blocks_t.h"
#include "jit/runtime/mpi.h"

/* What was handed out of one memory. Buffers are created and destroyed by any thread. What is kept
 * for later buffers and what is handed out are together never more than the peak of the latter. */
typedef struct Account {
  pthread_mutex_t lock;
  uint64_t bytes, peak_bytes;
  EchoKeptBlocks kept; /* of the host alone */
} Account;

static void add_locked(Account *account, uint64_t bytes)
{
  account->bytes += bytes;
  if (account->bytes > account->peak_bytes)
    account->peak_bytes = account->bytes;
  echo_kept_blocks_shrink(&account->kept, account->peak_bytes - account->bytes);
}

static void account_add(Account *account, uint64_t bytes)
{
  pthread_mutex_lock(&account->lock);
  add_locked(account, bytes);
  pthread_mutex_unlock(&account->lock);
}

/* A kept block of the size, or NULL. Before more is taken from the system. */
static void *account_add_kept_or_null(Account *account, uint64_t bytes)
{
  pthread_mutex_lock(&account->lock);
  void *block =
      bytes >= ECHO_KEPT_LEAST_BYTES ? echo_kept_blocks_take_or_null(&account->kept, bytes) : NULL;
  add_locked(account, bytes);
  pthread_mutex_unlock(&account->lock);
  return block;
}

static void account_subtract(Account *account, uint64_t bytes)
{
  pthread_mutex_lock(&account->lock);
  account->bytes -= bytes;
  pthread_mutex_unlock(&account->lock);
}

static void account_subtract_kept(Account *account, void *block, uint64_t bytes)
{
  pthread_mutex_lock(&account->lock);
  account->bytes -= bytes;
  echo_kept_blocks_keep(&account->kept, block, bytes);
  pthread_mutex_unlock(&account->lock);
}

static void account_reset_peak(Account *account)
{
  pthread_mutex_lock(&account->lock);
  account->peak_bytes = account->bytes;
  echo_kept_blocks_shrink(&account->kept, 0);
  pthread_mutex_unlock(&account->lock);
}

/* Copies in, copies out, calls. */
enum { CALL_STREAM = 2, N_STREAMS };

struct EchoDevice {
  const EchoDeviceMethods *methods; /* NULL: the host's own */
  EchoCuda *cuda;                   /* NULL: the host */
  EchoThreadPool *pool;
  EchoCopyStream *streams[N_STREAMS]; /* NULL until they are needed */
  EchoCallTimes call_times;
  Account own, host;
};

struct EchoDeviceBuffer {
  EchoDevice *device;
  Account *account;
  uint64_t size_bytes;
  void *data;
};

enum { BUFFER_ALIGNMENT = 64 };

EchoDevice *echo_device_create_cpu(unsigned n_threads)
{
  EchoDevice *device = echo_alloc_zero(1, sizeof *device);
  device->pool = echo_thread_pool_create(n_threads);
  pthread_mutex_init(&device->own.lock, NULL);
  pthread_mutex_init(&device->host.lock, NULL);
  return device;
}

EchoDevice *echo_device_create_cuda_or_null(unsigned ordinal, EchoBuffer *error)
{
  EchoCuda *cuda = echo_cuda_create_or_null(ordinal, error);
  if (cuda == NULL)
    return NULL;
  EchoDevice *device = echo_device_create_cpu(0);
  device->methods = &ECHO_CUDA_METHODS;
  device->cuda = cuda;
  return device;
}

/* The `place`-th number of "0,2,3". False where the text is no such list; *n is how many it has. */
static bool read_number(const char *list, unsigned place, unsigned *n, unsigned *number)
{
  for (*n = 0;; list++) {
    size_t size = strspn(list, "0123456789");
    if (size == 0 || size > 4)
      return false;
    if ((*n)++ == place)
      *number = (unsigned)strtoul(list, NULL, 10);
    list += size;
    if (*list != ',')
      return *list == '\0';
  }
}

/* The processes of a machine take its GPUs in their order, or those of the list; a launcher that
 * shows each of them one has chosen. */
static EchoDevice *create_listed_or_null(const char *list, EchoBuffer *error)
{
  unsigned place = (unsigned)echo_mpi_local_rank(), n = 0;
  unsigned number = place != 0 && echo_cuda_count() == 1 ? 0 : place;
  if (*list == '\0' || (read_number(list, place, &n, &number) && place < n))
    return echo_device_create_cuda_or_null(number, error);
  echo_buffer_printf(error,
                     "rank %d of %d is process %u of its machine, and cuda:%s names %u GPU%s",
                     echo_mpi_rank(), echo_mpi_size(), place, list, n, n == 1 ? "" : "s");
  return NULL;
}

EchoDevice *echo_device_create_named_or_null(const char *name, unsigned n_threads,
                                             EchoBuffer *error)
{
  if (name == NULL || strcmp(name, "cpu") == 0)
    return echo_device_create_cpu(n_threads);
  const char *list = strncmp(name, "cuda:", 5) == 0 ? name + 5 : "";
  unsigned n, number;
  if (strcmp(name, "cuda") == 0 || read_number(list, 0, &n, &number))
    return create_listed_or_null(list, error);
  echo_buffer_printf(error, "there is no device '%s': cpu, cuda, cuda:N, cuda:N,M,… are", name);
  return NULL;
}

void echo_device_destroy(EchoDevice *device)
{
  if (device == NULL)
    return;
  uint64_t bytes = device->own.bytes + device->host.bytes;
  ECHO_CHECK(bytes == 0, "a device is destroyed while %llu bytes of it are in use",
             (unsigned long long)bytes);
  for (int i = 0; i < N_STREAMS; i++)
    echo_copy_stream_destroy(device->streams[i]);
  echo_thread_pool_destroy(device->pool);
  echo_kept_blocks_shrink(&device->own.kept, 0);
  echo_kept_blocks_shrink(&device->host.kept, 0);
  pthread_mutex_destroy(&device->own.lock);
  pthread_mutex_destroy(&device->host.lock);
  echo_cuda_destroy(device->cuda);
  echo_free(device);
}

const char *echo_device_name(const EchoDevice *device)
{
  return device != NULL && device->methods != NULL ? device->methods->name : "cpu";
}

const char *echo_device_target(const EchoDevice *device)
{
  return device != NULL && device->cuda != NULL ? echo_cuda_target(device->cuda) : "cpu";
}

const char *echo_device_model_name(const EchoDevice *device)
{
  return device != NULL && device->cuda != NULL ? echo_cuda_name(device->cuda) : "";
}

EchoCuda *echo_device_cuda_or_null(const EchoDevice *device)
{
  return device != NULL ? device->cuda : NULL;
}

EchoThreadPool *echo_device_pool(EchoDevice *device)
{
  if (device == NULL)
    return NULL;
  return device->pool;
}

uint64_t echo_device_bytes(const EchoDevice *device)
{
  if (device == NULL)
    return 0;
  return device->own.bytes;
}

uint64_t echo_device_peak_bytes(const EchoDevice *device)
{
  if (device == NULL)
    return 0;
  return device->own.peak_bytes;
}

void echo_device_reset_peak(EchoDevice *device)
{
  if (device == NULL)
    return;
  account_reset_peak(&device->own);
  account_reset_peak(&device->host);
}

static EchoCopyStream *stream_of(EchoDevice *device, size_t number)
{
  if (device == NULL)
    return NULL;
  EchoCopyStream **stream = &device->streams[number];
  if (*stream == NULL)
    *stream = echo_copy_stream_create();
  return *stream;
}

EchoCopyStream *echo_device_copy_stream(EchoDevice *device, bool is_out)
{
  return stream_of(device, is_out);
}

EchoCopyStream *echo_device_call_stream(EchoDevice *device)
{
  return stream_of(device, CALL_STREAM);
}

void echo_device_count_call(EchoDevice *device, uint64_t run_ns, uint64_t waited_ns)
{
  device->call_times.n_calls++;
  device->call_times.hidden_ns += run_ns > waited_ns ? run_ns - waited_ns : 0;
}

EchoCallTimes echo_device_call_times(const EchoDevice *device)
{
  if (device == NULL)
    return (EchoCallTimes){0};
  return device->cuda != NULL ? device->cuda->call_times : device->call_times;
}

/* Says what is wrong where somebody listens; returns false. */
static bool refuse(EchoContext *ctx, const char *format, ...) ECHO_PRINTF(2, 3);
static bool refuse(EchoContext *ctx, const char *format, ...)
{
  if (ctx == NULL)
    return false;
  EchoBuffer text = {0};
  va_list arguments;
  va_start(arguments, format);
  echo_buffer_vprintf(&text, format, arguments);
  va_end(arguments);
  echo_error(ctx, echo_loc_unknown(), "%s", echo_buffer_c_str(&text));
  echo_context_flush_diagnostics(ctx);
  echo_buffer_destroy(&text);
  return false;
}

static bool check_size(EchoContext *ctx, const EchoDevice *device, uint64_t size_bytes)
{
  if (device == NULL)
    return refuse(ctx, "a buffer is created, but 'device' is NULL");
  if (size_bytes > ECHO_DEVICE_MAX_BYTES)
    return refuse(ctx,
                  "a buffer is created, but 'size_bytes' is %" PRIu64 ": no device has as much",
                  size_bytes);
  return true;
}

/* Where the bytes lie, which the account has then: NULL of none, and after an error. */
static void *allocate(EchoContext *ctx, EchoDevice *device, Account *account, uint64_t size_bytes)
{
  const EchoDeviceMethods *methods = device->methods;
  if (methods == NULL) {
    void *block = account_add_kept_or_null(account, size_bytes);
    return block != NULL ? block : echo_kept_block_create(size_bytes, BUFFER_ALIGNMENT);
  }
  if (size_bytes == 0)
    return NULL;
  void *data = account == &device->host ? methods->host_allocate(ctx, device->cuda, size_bytes)
                                        : methods->allocate(ctx, device->cuda, size_bytes);
  if (data != NULL)
    account_add(account, size_bytes);
  return data;
}

uint64_t echo_device_free_bytes(const EchoDevice *device)
{
  return device != NULL && device->methods != NULL ? device->methods->free_bytes(device->cuda) : 0;
}

static EchoDeviceBuffer *create_buffer(EchoContext *ctx, EchoDevice *device, bool is_host,
                                       uint64_t size_bytes)
{
  if (!check_size(ctx, device, size_bytes))
    return NULL;
  Account *account = is_host ? &device->host : &device->own;
  void *data = allocate(ctx, device, account, size_bytes);
  if (data == NULL && size_bytes != 0)
    return NULL;
  EchoDeviceBuffer *buffer = echo_alloc(sizeof *buffer);
  *buffer = (EchoDeviceBuffer){device, account, size_bytes, data};
  return buffer;
}

EchoDeviceBuffer *echo_device_buffer_create_or_null(EchoContext *ctx, EchoDevice *device,
                                                    uint64_t size_bytes)
{
  return create_buffer(ctx, device, false, size_bytes);
}

EchoDeviceBuffer *echo_device_host_buffer_create_or_null(EchoContext *ctx, EchoDevice *device,
                                                         uint64_t size_bytes)
{
  return create_buffer(ctx, device, true, size_bytes);
}

bool echo_device_has_buffer(const EchoDevice *device, const EchoDeviceBuffer *buffer)
{
  return device != NULL && buffer != NULL && buffer->account == &device->own;
}

bool echo_device_has_host_buffer(const EchoDevice *device, const EchoDeviceBuffer *buffer)
{
  return device != NULL && buffer != NULL && buffer->account == &device->host;
}

void echo_device_buffer_count_in(EchoDeviceBuffer *buffer, bool is_host)
{
  EchoDevice *device = buffer->device;
  ECHO_CHECK(device->methods == NULL, "a buffer of a GPU cannot become one of another memory");
  Account *account = is_host ? &device->host : &device->own;
  if (account == buffer->account)
    return;
  account_subtract(buffer->account, buffer->size_bytes);
  account_add(account, buffer->size_bytes);
  buffer->account = account;
}

uint64_t echo_device_host_peak_bytes(const EchoDevice *device)
{
  return device != NULL ? device->host.peak_bytes : 0;
}

void echo_device_buffer_destroy(EchoDeviceBuffer *buffer)
{
  if (buffer == NULL)
    return;
  const EchoDeviceMethods *methods = buffer->device->methods;
  bool is_host = buffer->account == &buffer->device->host;
  bool is_kept = methods == NULL && buffer->size_bytes >= ECHO_KEPT_LEAST_BYTES;
  if (is_kept)
    account_subtract_kept(buffer->account, buffer->data, buffer->size_bytes);
  else
    account_subtract(buffer->account, buffer->size_bytes);
  if (methods == NULL && !is_kept)
    echo_free(buffer->data);
  else if (methods != NULL && buffer->data != NULL)
    (is_host ? methods->host_release : methods->release)(buffer->device->cuda, buffer->data);
  echo_free(buffer);
}

uint64_t echo_device_buffer_bytes(const EchoDeviceBuffer *buffer)
{
  return buffer != NULL ? buffer->size_bytes : 0;
}

void *echo_device_buffer_address(const EchoDeviceBuffer *buffer)
{
  return buffer != NULL ? buffer->data : NULL;
}

/* In memory that the host does not see. */
static bool is_elsewhere(const EchoDeviceBuffer *buffer)
{
  return buffer->device->methods != NULL && buffer->account == &buffer->device->own;
}

/* `what` is "written" or "read". */
static bool check_copy(EchoContext *ctx, const EchoDeviceBuffer *buffer, const void *host,
                       uint64_t host_bytes, const char *what)
{
  if (buffer == NULL)
    return refuse(ctx, "a buffer is %s, but 'buffer' is NULL", what);
  if (host_bytes != buffer->size_bytes)
    return refuse(ctx, "a buffer of %" PRIu64 " bytes is %s, but 'host_bytes' is %" PRIu64,
                  buffer->size_bytes, what, host_bytes);
  if (host == NULL && host_bytes != 0)
    return refuse(ctx, "a buffer is %s, but 'host' is NULL", what);
  return true;
}

bool echo_device_buffer_write(EchoContext *ctx, EchoDeviceBuffer *buffer, const void *host,
                              uint64_t host_bytes)
{
  if (!check_copy(ctx, buffer, host, host_bytes, "written"))
    return false;
  if (host_bytes != 0 && is_elsewhere(buffer))
    return buffer->device->methods->write(ctx, buffer->device->cuda, buffer->data, host,
                                          host_bytes);
  if (host_bytes != 0)
    memcpy(buffer->data, host, (size_t)host_bytes);
  return true;
}

bool echo_device_buffer_read(EchoContext *ctx, const EchoDeviceBuffer *buffer, void *host,
                             uint64_t host_bytes)
{
  if (!check_copy(ctx, buffer, host, host_bytes, "read"))
    return false;
  if (host_bytes != 0 && is_elsewhere(buffer))
    return buffer->device->methods->read(ctx, buffer->device->cuda, buffer->data, host, host_bytes);
  if (host_bytes != 0)
    memcpy(host, buffer->data, (size_t)host_bytes);
  return true;
}

bool echo_device_buffer_copy(EchoContext *ctx, const EchoDeviceBuffer *from, EchoDeviceBuffer *to)
{
  if (from == NULL || to == NULL)
    return refuse(ctx, "a buffer is copied, but '%s' is NULL", from == NULL ? "from" : "to");
  if (from->account != to->account || from->size_bytes != to->size_bytes)
    return refuse(ctx, "a buffer is copied to another one of another device, memory or size");
  if (from->size_bytes != 0 && is_elsewhere(from))
    return from->device->methods->copy(ctx, from->device->cuda, to->data, from->data,
                                       from->size_bytes);
  if (from->size_bytes != 0)
    memmove(to->data, from->data, (size_t)from->size_bytes);
  return true;
}
