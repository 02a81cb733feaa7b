/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "samples/nets/task.h"

#include "samples/common/random.h"

/* A class's pattern at a place, and noise of twice its size. */
static float pixel(int32_t class_number, int64_t place, uint64_t noise_seed, uint64_t i)
{
  float pattern = sample_uniform((uint64_t)class_number + 1, (uint64_t)place) - 0.5f;
  return pattern + 2 * (sample_uniform(noise_seed, i) - 0.5f);
}

/* Patterns of 4 x 4 colored squares. */
static void fill_images(const NetConfig *c, uint64_t seed, float *data, int32_t *labels)
{
  for (int64_t b = 0; b < c->batch; b++) {
    int32_t label = labels[b] = (int32_t)(sample_hash(seed ^ (uint64_t)b) % (uint64_t)c->classes);
    for (int64_t y = 0; y < c->image; y++)
      for (int64_t x = 0; x < c->image; x++)
        for (int64_t k = 0; k < 3; k++) {
          int64_t square = (4 * y / c->image) * 4 + 4 * x / c->image;
          int64_t i = ((b * c->image + y) * c->image + x) * 3 + k;
          data[i] = pixel(label, 3 * square + k, seed + 1, (uint64_t)i);
        }
  }
}

/* Rectangles of classes on class 0; a class is a color. */
static void fill_maps(const NetConfig *c, uint64_t seed, float *data, int32_t *labels)
{
  for (int64_t b = 0; b < c->batch; b++) {
    uint64_t shape = sample_hash(seed ^ (uint64_t)b);
    int64_t half = c->image / 2, y0 = (int64_t)(shape % 64) % half,
            x0 = (int64_t)(shape / 64 % 64) % half;
    int32_t inner = 1 + (int32_t)(shape / 4096 % (uint64_t)(c->classes - 1));
    for (int64_t y = 0; y < c->image; y++)
      for (int64_t x = 0; x < c->image; x++) {
        int64_t place = (b * c->image + y) * c->image + x;
        bool is_inside = y >= y0 && y < y0 + half && x >= x0 && x < x0 + half;
        labels[place] = is_inside ? inner : 0;
        for (int64_t k = 0; k < 3; k++)
          data[3 * place + k] = pixel(labels[place], k, seed + 1, (uint64_t)(3 * place + k));
      }
  }
}

/* The next word is a fixed function of the last one, one time in eight any. */
static void fill_texts(const NetConfig *c, uint64_t seed, int32_t *data, int32_t *labels)
{
  uint64_t n_words = (uint64_t)c->classes;
  for (int64_t b = 0; b < c->batch; b++) {
    uint64_t word = sample_hash(seed ^ (uint64_t)b) % n_words;
    for (int64_t t = 0; t < c->length; t++) {
      uint64_t chance = sample_hash(seed + 1 + (uint64_t)(b * c->length + t));
      data[b * c->length + t] = (int32_t)word;
      word = chance % 8 == 0 ? chance / 8 % n_words : sample_hash(word) % n_words;
      labels[b * c->length + t] = (int32_t)word;
    }
  }
}

/* Any words, and each one's translation: a fixed function of it. Word 0 begins a target. */
static void fill_pairs(const NetConfig *c, uint64_t seed, int32_t *data, int32_t *labels)
{
  uint64_t n_words = (uint64_t)c->classes - 1;
  for (int64_t b = 0; b < c->batch; b++) {
    int32_t *source = data + b * 2 * c->length, *target = source + c->length;
    for (int64_t t = 0; t < c->length; t++) {
      uint64_t word = sample_hash(seed + (uint64_t)(b * c->length + t)) % n_words;
      source[t] = 1 + (int32_t)word;
      target[t] = t == 0 ? 0 : labels[b * c->length + t - 1];
      labels[b * c->length + t] = 1 + (int32_t)(sample_hash(word) % n_words);
    }
  }
}

bool net_task_create(NetTask *task, const NetConfig *config, const char *data_or_null,
                     uint64_t seed, EchoBuffer *error)
{
  *task = (NetTask){.config = config, .seed = seed};
  if (config->kind == NET_SPEECH)
    return speech_create(&task->speech, config, data_or_null, seed, error);
  if (data_or_null == NULL)
    return true;
  if (config->kind == NET_VGG || config->kind == NET_RESNET)
    return net_images_read(&task->images, config, data_or_null, error);
  echo_buffer_append_c(error, "--data is for vgg and resnet (a CSV file of images), and for"
                              " deepspeech2 (a directory of WAV files)");
  return false;
}

void net_task_destroy(NetTask *task)
{
  net_images_destroy(&task->images);
  speech_destroy(&task->speech);
}

void net_task_fill(const NetTask *task, int64_t step, void *data, int32_t *labels)
{
  const NetConfig *config = task->config;
  uint64_t own = sample_hash(task->seed ^ sample_hash((uint64_t)step));
  switch (config->kind) {
  case NET_TRANSFORMER:
    fill_texts(config, own, data, labels);
    return;
  case NET_TRANSLATOR:
    fill_pairs(config, own, data, labels);
    return;
  case NET_UNET:
    fill_maps(config, own, data, labels);
    return;
  case NET_SPEECH:
    speech_fill(&task->speech, false, step, data, labels);
    return;
  case NET_VGG:
  case NET_RESNET:
    if (task->images.classes.size != 0)
      net_images_fill(&task->images, config, own, data, labels);
    else
      fill_images(config, own, data, labels);
    return;
  }
}
