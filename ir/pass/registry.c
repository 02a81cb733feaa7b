/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names that pipelines may use. */
#include "ir/pass/pass_t.h"

EchoPassRegistry *echo_pass_registry_create(void)
{
  return echo_alloc_zero(1, sizeof(EchoPassRegistry));
}

void echo_pass_registry_destroy(EchoPassRegistry *registry)
{
  if (registry == NULL)
    return;
  echo_vector_destroy(&registry->passes);
  echo_vector_destroy(&registry->aliases);
  echo_string_map_destroy(&registry->by_name);
  echo_free(registry);
}

bool echo_pass_registry_try_add(EchoPassRegistry *registry, const EchoPass *pass, EchoBuffer *error)
{
  if (registry == NULL || pass == NULL) {
    echo_buffer_printf(error, "a pass is registered: '%s' is NULL",
                       registry == NULL ? "registry" : "pass");
    return false;
  }
  if (pass->name == NULL || pass->name[0] == '\0') {
    echo_buffer_append_c(error, "a pass has no name");
    return false;
  }
  EchoStr name = echo_str(pass->name);
  const char *lacks = pass->summary == NULL ? "summary" : pass->run == NULL ? "'run'" : NULL;
  if (lacks != NULL) {
    echo_buffer_printf(error, "pass '%s' has no %s", pass->name, lacks);
    return false;
  }
  if (echo_pass_registry_get_or_null(registry, name) != NULL ||
      echo_pass_registry_has_alias(registry, name)) {
    echo_buffer_printf(error, "pass '%s' is registered twice", pass->name);
    return false;
  }
  for (size_t i = 0; i < echo_pass_n_options(pass); i++)
    if (pass->options[i].summary == NULL || pass->options[i].default_value == NULL) {
      echo_buffer_printf(error, "pass '%s': option '%s' has no summary or no default", pass->name,
                         pass->options[i].name);
      return false;
    }
  echo_vector_push(&registry->passes, pass);
  echo_string_map_set(&registry->by_name, name, registry->passes.size);
  return true;
}

void echo_pass_registry_add(EchoPassRegistry *registry, const EchoPass *pass)
{
  EchoBuffer error = {0};
  ECHO_CHECK(echo_pass_registry_try_add(registry, pass, &error), "%s", echo_buffer_c_str(&error));
  echo_buffer_destroy(&error);
}

void echo_pass_registry_add_alias(EchoPassRegistry *registry, const char *name, const char *summary,
                                  const char *pipeline)
{
  ECHO_CHECK(registry != NULL && name != NULL && summary != NULL && pipeline != NULL,
             "a pipeline is registered: '%s' is NULL",
             registry == NULL  ? "registry"
             : name == NULL    ? "name"
             : summary == NULL ? "summary"
                               : "pipeline");
  echo_vector_push(&registry->aliases, (EchoPassAlias){name, summary, pipeline});
}

size_t echo_pass_registry_size(const EchoPassRegistry *registry)
{
  if (registry == NULL)
    return 0;
  return registry->passes.size;
}

const EchoPass *echo_pass_registry_at(const EchoPassRegistry *registry, size_t index)
{
  size_t n_passes = echo_pass_registry_size(registry);
  ECHO_CHECK(index < n_passes, "pass %zu of %zu", index, n_passes);
  return registry->passes.data[index];
}

const EchoPass *echo_pass_registry_get_or_null(const EchoPassRegistry *registry, EchoStr name)
{
  if (registry == NULL || name.data == NULL)
    return NULL;
  uint64_t index = echo_string_map_get_or(&registry->by_name, name, 0);
  return index != 0 ? registry->passes.data[index - 1] : NULL;
}

const EchoPassAlias *echo_pass_registry_alias_or_null(const EchoPassRegistry *registry,
                                                      EchoStr name)
{
  for (size_t i = 0; i < registry->aliases.size; i++)
    if (echo_str_is(name, registry->aliases.data[i].name))
      return &registry->aliases.data[i];
  return NULL;
}

bool echo_pass_registry_has_alias(const EchoPassRegistry *registry, EchoStr name)
{
  if (registry == NULL || name.data == NULL)
    return false;
  return echo_pass_registry_alias_or_null(registry, name) != NULL;
}

size_t echo_pass_n_options(const EchoPass *pass)
{
  size_t n = 0;
  while (pass->options != NULL && pass->options[n].name != NULL)
    n++;
  return n;
}

size_t echo_pass_n_statistics(const EchoPass *pass)
{
  size_t n = 0;
  while (pass->statistics != NULL && pass->statistics[n].name != NULL)
    n++;
  return n;
}
