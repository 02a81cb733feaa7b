/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of models and their published sizes. */
#include <stdio.h>

#include "samples/nets/nets.h"

static const struct {
  const char *name;
  NetConfig config;
} MODELS[] = {
    {"vgg11",
     {.kind = NET_VGG, .depth = 11, .image = 224, .classes = 1000, .width = 64, .dropout = 0.5}},
    {"vgg16",
     {.kind = NET_VGG, .depth = 16, .image = 224, .classes = 1000, .width = 64, .dropout = 0.5}},
    {"vgg19",
     {.kind = NET_VGG, .depth = 19, .image = 224, .classes = 1000, .width = 64, .dropout = 0.5}},
    {"resnet50", {.kind = NET_RESNET, .depth = 50, .image = 224, .classes = 1000, .width = 64}},
    {"resnet101", {.kind = NET_RESNET, .depth = 101, .image = 224, .classes = 1000, .width = 64}},
    {"resnet152", {.kind = NET_RESNET, .depth = 152, .image = 224, .classes = 1000, .width = 64}},
    {"unet", {.kind = NET_UNET, .image = 256, .classes = 2, .width = 64}},
    {"transformer",
     {.kind = NET_TRANSFORMER,
      .classes = 50257,
      .layers = 12,
      .hidden = 768,
      .heads = 12,
      .length = 1024,
      .dropout = 0.1,
      .uses_adam = true}},
    {"transformer-base",
     {.kind = NET_TRANSLATOR,
      .classes = 37000,
      .layers = 6,
      .hidden = 512,
      .heads = 8,
      .length = 100,
      .dropout = 0.1,
      .uses_adam = true}},
    /* Sizes of MXNet's example, which the authors of Echo had: 16 s at 16 kHz. */
    {"deepspeech2",
     {.kind = NET_SPEECH,
      .classes = 29,
      .width = 32,
      .layers = 5,
      .hidden = 1760,
      .length = 1600,
      .bins = 161,
      .labels = 240}},
};

bool net_config_from_name(EchoStr name, NetConfig *config)
{
  for (size_t i = 0; i < sizeof MODELS / sizeof MODELS[0]; i++)
    if (echo_str_is(name, MODELS[i].name)) {
      *config = MODELS[i].config;
      return true;
    }
  return false;
}

const char *net_model_names(void)
{
  return "vgg11, vgg16, vgg19, resnet50, resnet101, resnet152, unet, transformer, "
         "transformer-base, deepspeech2";
}

static bool complain(EchoBuffer *error, const char *format, int64_t a, int64_t b)
{
  echo_buffer_printf(error, format, (long long)a, (long long)b);
  return false;
}

bool net_config_check(const NetConfig *config, EchoBuffer *error)
{
  int64_t image = config->image, last = image / 32;
  switch (config->kind) {
  case NET_VGG:
    if (image % 32 != 0 || (last >= 7 && last % 7 != 0))
      return complain(error,
                      "VGG halves images five times: sides of 32, 64, ... 192 or multiples of 224,"
                      " not %lld",
                      image, 0);
    break;
  case NET_RESNET:
    if (image < 8)
      return complain(error, "ResNet needs images of 8 x 8 or more, not %lld", image, 0);
    break;
  case NET_UNET:
    if (image % 16 != 0)
      return complain(error, "U-Net halves images four times: sides are multiples of 16, not %lld",
                      image, 0);
    break;
  case NET_TRANSFORMER:
  case NET_TRANSLATOR:
    if (config->hidden % config->heads != 0)
      return complain(error, "a hidden size of %lld has no %lld equal heads", config->hidden,
                      config->heads);
    break;
  case NET_SPEECH:
    if (2 * config->labels > config->length + 1)
      return complain(error, "%lld labels take as many of the %lld frames that every second gives",
                      config->labels, (config->length + 1) / 2);
    break;
  }
  if (!(config->dropout >= 0 && config->dropout < 1))
    echo_buffer_append_c(error, "--dropout must lie in [0, 1)");
  return error->size == 0;
}
