/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Execute contexts: what a client hands to the handlers that a run calls, by the number of its
 * type. A run that is queued keeps it beyond the context. */
#include "pjrt/plugin_t.h"

typedef struct Entry {
  int64_t type_id;
  void *data; /* the client's, and stays there until the run is over */
} Entry;

struct EchoPjrtUserData {
  atomic_size_t n_references;
  pthread_mutex_t lock;
  ECHO_VECTOR(Entry) entries;
};

struct PJRT_ExecuteContext {
  EchoPjrtUserData *user_data;
};

PJRT_ExecuteContext *echo_pjrt_context_or_null(const PJRT_ExecuteOptions *options)
{
  return options != NULL && ECHO_PJRT_HAS(options, context) ? options->context : NULL;
}

EchoPjrtUserData *echo_pjrt_user_data_of_or_null(const PJRT_ExecuteOptions *options)
{
  const PJRT_ExecuteContext *context = echo_pjrt_context_or_null(options);
  if (context == NULL)
    return NULL;
  atomic_fetch_add(&context->user_data->n_references, 1);
  return context->user_data;
}

void echo_pjrt_user_data_release(EchoPjrtUserData *user_data)
{
  if (user_data == NULL || atomic_fetch_sub(&user_data->n_references, 1) != 1)
    return;
  pthread_mutex_destroy(&user_data->lock);
  echo_vector_destroy(&user_data->entries);
  echo_free(user_data);
}

static const Entry *entry_or_null(const EchoPjrtUserData *user_data, int64_t type_id)
{
  for (size_t i = 0; i < user_data->entries.size; i++)
    if (user_data->entries.data[i].type_id == type_id)
      return &user_data->entries.data[i];
  return NULL;
}

bool echo_pjrt_user_data_add(PJRT_ExecuteContext *context, int64_t type_id, void *data)
{
  EchoPjrtUserData *user_data = context->user_data;
  pthread_mutex_lock(&user_data->lock);
  bool is_new = entry_or_null(user_data, type_id) == NULL;
  if (is_new)
    echo_vector_push(&user_data->entries, ((Entry){type_id, data}));
  pthread_mutex_unlock(&user_data->lock);
  return is_new;
}

bool echo_pjrt_user_data_get(EchoPjrtUserData *user_data, int64_t type_id, void **data)
{
  if (user_data == NULL)
    return false;
  pthread_mutex_lock(&user_data->lock);
  const Entry *entry = entry_or_null(user_data, type_id);
  if (entry != NULL)
    *data = entry->data;
  pthread_mutex_unlock(&user_data->lock);
  return entry != NULL;
}

PJRT_Error *Echo_PJRT_ExecuteContext_Create(PJRT_ExecuteContext_Create_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, context);
  args->context = echo_alloc_zero(1, sizeof *args->context);
  args->context->user_data = echo_alloc_zero(1, sizeof *args->context->user_data);
  atomic_init(&args->context->user_data->n_references, 1);
  pthread_mutex_init(&args->context->user_data->lock, NULL);
  echo_pjrt_add(args->context, ECHO_PJRT_CONTEXT);
  return NULL;
}

PJRT_Error *Echo_PJRT_ExecuteContext_Destroy(PJRT_ExecuteContext_Destroy_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, context);
  if (args->context == NULL)
    return NULL;
  ECHO_PJRT_CHECK(echo_pjrt_remove(args->context, ECHO_PJRT_CONTEXT),
                  "'context' is not a live object");
  echo_pjrt_user_data_release(args->context->user_data);
  echo_free(args->context);
  return NULL;
}
