/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Events: handles of what is done or will be, by whichever thread. */
#include "pjrt/plugin_t.h"

typedef struct Callback {
  PJRT_Event_OnReadyCallback run;
  void *user;
} Callback;

struct EchoPjrtState {
  atomic_size_t n_references;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool is_set;
  PJRT_Error_Code code;
  EchoBuffer message;
  ECHO_VECTOR(Callback) callbacks;
};

struct PJRT_Event {
  EchoPjrtState *state;
};

EchoPjrtState *echo_pjrt_state_create(void)
{
  EchoPjrtState *state = echo_alloc_zero(1, sizeof *state);
  atomic_init(&state->n_references, 1);
  pthread_mutex_init(&state->lock, NULL);
  pthread_cond_init(&state->changed, NULL);
  return state;
}

EchoPjrtState *echo_pjrt_state_retain(EchoPjrtState *state)
{
  atomic_fetch_add(&state->n_references, 1);
  return state;
}

void echo_pjrt_state_release(EchoPjrtState *state)
{
  if (state == NULL || atomic_fetch_sub(&state->n_references, 1) != 1)
    return;
  pthread_mutex_destroy(&state->lock);
  pthread_cond_destroy(&state->changed);
  echo_buffer_destroy(&state->message);
  echo_vector_destroy(&state->callbacks);
  echo_free(state);
}

static PJRT_Error *error_of(const EchoPjrtState *state)
{
  return state->code != PJRT_Error_Code_OK
             ? echo_pjrt_error_of(state->code, echo_buffer_str(&state->message))
             : NULL;
}

void echo_pjrt_state_set(EchoPjrtState *state, PJRT_Error_Code code, EchoStr message)
{
  pthread_mutex_lock(&state->lock);
  if (state->is_set) {
    pthread_mutex_unlock(&state->lock);
    return;
  }
  state->code = code;
  echo_buffer_append_str(&state->message, message);
  state->is_set = true;
  pthread_cond_broadcast(&state->changed);
  pthread_mutex_unlock(&state->lock);
  /* None is added any more; each may come back to us. */
  for (size_t i = 0; i < state->callbacks.size; i++)
    state->callbacks.data[i].run(error_of(state), state->callbacks.data[i].user);
}

PJRT_Error_Code echo_pjrt_state_wait(EchoPjrtState *state, EchoStr *message)
{
  pthread_mutex_lock(&state->lock);
  while (!state->is_set)
    pthread_cond_wait(&state->changed, &state->lock);
  pthread_mutex_unlock(&state->lock);
  if (message != NULL)
    *message = echo_buffer_str(&state->message);
  return state->code;
}

bool echo_pjrt_state_is_set(EchoPjrtState *state)
{
  pthread_mutex_lock(&state->lock);
  bool is_set = state->is_set;
  pthread_mutex_unlock(&state->lock);
  return is_set;
}

PJRT_Event *echo_pjrt_event_create(EchoPjrtState *state)
{
  PJRT_Event *event = echo_alloc(sizeof *event);
  *event = (PJRT_Event){echo_pjrt_state_retain(state)};
  echo_pjrt_add(event, ECHO_PJRT_EVENT);
  return event;
}

PJRT_Event *echo_pjrt_event_done(void)
{
  EchoPjrtState *state = echo_pjrt_state_create();
  echo_pjrt_state_set(state, PJRT_Error_Code_OK, (EchoStr){0});
  PJRT_Event *event = echo_pjrt_event_create(state);
  echo_pjrt_state_release(state);
  return event;
}

/* ---- the interface ---- */

PJRT_Error *Echo_PJRT_Event_Create(PJRT_Event_Create_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, event);
  EchoPjrtState *state = echo_pjrt_state_create();
  args->event = echo_pjrt_event_create(state);
  echo_pjrt_state_release(state);
  return NULL;
}

PJRT_Error *Echo_PJRT_Event_Set(PJRT_Event_Set_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, error_message_size);
  ECHO_PJRT_CHECK_LIVE(args->event, ECHO_PJRT_EVENT);
  EchoStr message = {args->error_message,
                     args->error_message != NULL ? args->error_message_size : 0};
  echo_pjrt_state_set(args->event->state, args->error_code, message);
  return NULL;
}

PJRT_Error *Echo_PJRT_Event_Destroy(PJRT_Event_Destroy_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, event);
  if (args->event == NULL)
    return NULL;
  ECHO_PJRT_CHECK(echo_pjrt_remove(args->event, ECHO_PJRT_EVENT), "'event' is not a live object");
  echo_pjrt_state_release(args->event->state);
  echo_free(args->event);
  return NULL;
}

ECHO_PJRT_GETTER(Event_IsReady, is_ready, event, ECHO_PJRT_EVENT,
                 { args->is_ready = echo_pjrt_state_is_set(args->event->state); })

PJRT_Error *Echo_PJRT_Event_Error(PJRT_Event_Error_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, event);
  ECHO_PJRT_CHECK_LIVE(args->event, ECHO_PJRT_EVENT);
  ECHO_PJRT_CHECK(echo_pjrt_state_is_set(args->event->state), "the event is not ready");
  return error_of(args->event->state);
}

PJRT_Error *Echo_PJRT_Event_Await(PJRT_Event_Await_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, event);
  ECHO_PJRT_CHECK_LIVE(args->event, ECHO_PJRT_EVENT);
  EchoPjrtState *state = echo_pjrt_state_retain(args->event->state);
  echo_pjrt_state_wait(state, NULL);
  PJRT_Error *error = error_of(state);
  echo_pjrt_state_release(state);
  return error;
}

PJRT_Error *Echo_PJRT_Event_OnReady(PJRT_Event_OnReady_Args *args)
{
  ECHO_PJRT_CHECK_ARGS(args, user_arg);
  ECHO_PJRT_CHECK_LIVE(args->event, ECHO_PJRT_EVENT);
  ECHO_PJRT_CHECK(args->callback != NULL, "'callback' is NULL");
  EchoPjrtState *state = args->event->state;
  pthread_mutex_lock(&state->lock);
  bool is_set = state->is_set;
  if (!is_set)
    echo_vector_push(&state->callbacks, (Callback){args->callback, args->user_arg});
  pthread_mutex_unlock(&state->lock);
  if (is_set)
    args->callback(error_of(state), args->user_arg);
  return NULL;
}
