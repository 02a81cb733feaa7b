/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How well a trained DeepSpeech2 hears what it was not trained on. */
#ifndef ECHO_SAMPLES_NETS_LISTEN_H
#define ECHO_SAMPLES_NETS_LISTEN_H

#include "samples/common/session.h"
#include "samples/nets/speech.h"

enum { LISTEN_BATCHES = 8 };

/* args: those of the training step, whose first ones the test's are. Prints an utterance of the
 * last batch beside what was heard. False after a message. */
bool net_listen(EchoContext *ctx, const EchoPassRegistry *passes, EchoDevice *device,
                const char *cache_dir_or_null, const Speech *speech, EchoDeviceBuffer *const *args,
                SpeechErrors *errors);

#endif
