/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Objects are what LLVM has just made, or what the cache holds, whose hash was right: relocatable
 * ELF of x86-64, position-independent. */
#include "codegen/link.h"

#include <elf.h>

#include "ir/diagnostics.h"

enum { NOWHERE = -1 };

/* One object, and where its sections lie in the code. */
typedef struct Object {
  const EchoOp *func;
  char *data; /* a copy, aligned */
  const Elf64_Shdr *sections;
  size_t n_sections;
  const char *section_names;
  const Elf64_Sym *symbols;
  size_t n_symbols;
  const char *symbol_names;
  int64_t *bases; /* by section; NOWHERE */
} Object;

typedef struct Linker {
  EchoLinkedCode *code;
  int64_t stubs[ECHO_N_KERNEL_IMPORTS]; /* where the jump to it stands, or NOWHERE */
  int64_t cells[ECHO_N_KERNEL_IMPORTS]; /* where its address stands, or NOWHERE */
  ECHO_VECTOR(size_t) begins;           /* by kernel: the first of its phases among all */
} Linker;

#define IMPORT_NAME(name) #name,
static const char *const IMPORTS[] = {ECHO_KERNEL_IMPORTS(IMPORT_NAME)};

static void align(EchoBuffer *bytes, uint64_t alignment)
{
  while (bytes->size % (alignment != 0 ? alignment : 1) != 0)
    echo_buffer_append_char(bytes, 0);
}

static bool refuse(const Object *object, const char *what, const char *which)
{
  return echo_op_error(object->func, "cannot stand in a bundle: its object has %s '%s'", what,
                       which);
}

/* ---- where things lie ---- */

static void open_object(const EchoCompiledKernel *kernel, Object *object)
{
  char *data = memcpy(echo_alloc(kernel->object.size), kernel->object.data, kernel->object.size);
  const Elf64_Ehdr *header = (const void *)data;
  *object = (Object){.func = kernel->func,
                     .data = data,
                     .sections = (const void *)(data + header->e_shoff),
                     .n_sections = header->e_shnum};
  object->section_names = data + object->sections[header->e_shstrndx].sh_offset;
  object->bases = echo_alloc_array(object->n_sections + 1, sizeof *object->bases);
  for (size_t i = 0; i < object->n_sections; i++) {
    const Elf64_Shdr *section = &object->sections[i];
    object->bases[i] = NOWHERE;
    if (section->sh_type != SHT_SYMTAB)
      continue;
    object->symbols = (const void *)(data + section->sh_offset);
    object->n_symbols = section->sh_size / sizeof(Elf64_Sym);
    object->symbol_names = data + object->sections[section->sh_link].sh_offset;
  }
}

/* Unwinding is for who throws: nobody does. */
static bool is_loaded(const Object *object, const Elf64_Shdr *section)
{
  return (section->sh_flags & SHF_ALLOC) != 0 && section->sh_size != 0 &&
         strcmp(object->section_names + section->sh_name, ".eh_frame") != 0;
}

static bool place_sections(Linker *linker, Object *object)
{
  EchoBuffer *bytes = &linker->code->bytes;
  for (size_t i = 0; i < object->n_sections; i++) {
    const Elf64_Shdr *section = &object->sections[i];
    const char *name = object->section_names + section->sh_name;
    if (!is_loaded(object, section))
      continue;
    bool is_constant = strncmp(name, ".data.rel.ro", strlen(".data.rel.ro")) == 0;
    if (section->sh_type == SHT_NOBITS || (section->sh_flags & SHF_TLS) != 0 ||
        ((section->sh_flags & SHF_WRITE) != 0 && !is_constant))
      return refuse(object, "the writable section", name);
    align(bytes, section->sh_addralign);
    object->bases[i] = (int64_t)bytes->size;
    echo_buffer_append(bytes, object->data + section->sh_offset, section->sh_size);
  }
  return true;
}

static size_t import_of(const char *name)
{
  size_t i = 0;
  while (i < ECHO_N_KERNEL_IMPORTS && strcmp(IMPORTS[i], name) != 0)
    i++;
  return i;
}

static uint64_t add_cell(Linker *linker, int64_t import, uint64_t offset_of)
{
  EchoBuffer *bytes = &linker->code->bytes;
  align(bytes, sizeof(uint64_t));
  uint64_t where = bytes->size;
  static const char ZEROS[sizeof(uint64_t)] = {0};
  echo_buffer_append(bytes, ZEROS, sizeof ZEROS);
  echo_vector_push(&linker->code->cells, (EchoCodeCell){where, import, offset_of});
  return where;
}

static uint64_t import_cell(Linker *linker, size_t import)
{
  if (linker->cells[import] == NOWHERE)
    linker->cells[import] = (int64_t)add_cell(linker, (int64_t)import, 0);
  return (uint64_t)linker->cells[import];
}

static void put_u32(EchoBuffer *bytes, uint64_t where, uint32_t value)
{
  memcpy(bytes->data + where, &value, sizeof value);
}

/* jmp *cell(%rip) */
static uint64_t import_stub(Linker *linker, size_t import)
{
  if (linker->stubs[import] == NOWHERE) {
    uint64_t cell = import_cell(linker, import);
    EchoBuffer *bytes = &linker->code->bytes;
    uint64_t where = bytes->size;
    static const char JUMP[] = {'\xff', '\x25', 0, 0, 0, 0};
    echo_buffer_append(bytes, JUMP, sizeof JUMP);
    put_u32(bytes, where + 2, (uint32_t)(cell - (where + sizeof JUMP)));
    linker->stubs[import] = (int64_t)where;
  }
  return (uint64_t)linker->stubs[import];
}

/* ---- relocations ---- */

/* Where a symbol of the object lies; false where it is not in the object. */
static bool find_symbol(const Object *object, const Elf64_Sym *symbol, uint64_t *where)
{
  if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= object->n_sections ||
      object->bases[symbol->st_shndx] == NOWHERE)
    return false;
  *where = (uint64_t)object->bases[symbol->st_shndx] + symbol->st_value;
  return true;
}

static bool is_of_table(uint32_t type)
{
  return type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX || type == R_X86_64_REX_GOTPCRELX;
}

static bool relocate(Linker *linker, const Object *object, uint64_t base, const Elf64_Rela *entry)
{
  const Elf64_Sym *symbol = &object->symbols[ELF64_R_SYM(entry->r_info)];
  const char *name = object->symbol_names + symbol->st_name;
  uint32_t type = (uint32_t)ELF64_R_TYPE(entry->r_info);
  uint64_t where = base + entry->r_offset, target = 0, addend = (uint64_t)entry->r_addend;
  bool is_own = find_symbol(object, symbol, &target);
  size_t import = is_own ? 0 : import_of(name);
  if (!is_own && import == ECHO_N_KERNEL_IMPORTS)
    return refuse(object, "the unknown symbol", name);
  if (type == R_X86_64_64) {
    echo_vector_push(&linker->code->cells,
                     (EchoCodeCell){where, is_own ? -1 : (int64_t)import, target + addend});
    return is_own || addend == 0 || refuse(object, "an address inside of", name);
  }
  if (is_of_table(type))
    target = is_own ? add_cell(linker, -1, target) : import_cell(linker, import);
  else if (!is_own)
    target = import_stub(linker, import);
  EchoBuffer *bytes = &linker->code->bytes;
  uint64_t distance = target + addend - where;
  if (type == R_X86_64_PC64) {
    memcpy(bytes->data + where, &distance, sizeof distance);
    return true;
  }
  if (type != R_X86_64_PC32 && type != R_X86_64_PLT32 && !is_of_table(type))
    return refuse(object, "a relocation that is not known here, of", name);
  put_u32(bytes, where, (uint32_t)distance);
  return (int64_t)distance == (int32_t)(uint32_t)distance ||
         refuse(object, "too far away the symbol", name);
}

static bool relocate_all(Linker *linker, const Object *object)
{
  for (size_t i = 0; i < object->n_sections; i++) {
    const Elf64_Shdr *section = &object->sections[i];
    if (section->sh_type != SHT_RELA || object->bases[section->sh_info] == NOWHERE)
      continue;
    const Elf64_Rela *entries = (const void *)(object->data + section->sh_offset);
    for (size_t k = 0; k < section->sh_size / sizeof *entries; k++)
      if (!relocate(linker, object, (uint64_t)object->bases[section->sh_info], &entries[k]))
        return false;
  }
  return true;
}

static bool find_phases(Linker *linker, const Object *object, const EchoCompiledKernel *kernel)
{
  for (size_t i = 0; i < kernel->n_phases; i++) {
    uint64_t where = 0;
    bool found = false;
    for (size_t k = 0; k < object->n_symbols && !found; k++)
      found = echo_str_is(kernel->phases[i].symbol,
                          object->symbol_names + object->symbols[k].st_name) &&
              find_symbol(object, &object->symbols[k], &where);
    ECHO_CHECK_OP(found, kernel->func, "its object lacks phase %zu", i);
    echo_vector_push(&linker->code->phases, where);
  }
  return true;
}

/* The phases of a kernel whose object stands in the code already. */
static void repeat_phases(Linker *linker, const EchoCompiledKernel *kernel)
{
  size_t from = linker->begins.data[kernel->first];
  for (size_t i = 0; i < kernel->n_phases; i++)
    echo_vector_push(&linker->code->phases, linker->code->phases.data[from + i]);
}

static bool link_kernel(Linker *linker, const EchoCompiledKernel *kernel)
{
  Object object;
  open_object(kernel, &object);
  bool ok = place_sections(linker, &object) && relocate_all(linker, &object) &&
            find_phases(linker, &object, kernel);
  echo_free(object.bases);
  echo_free(object.data);
  return ok;
}

bool echo_codegen_link(EchoContext *ctx, const EchoCompiledModule *compiled, EchoLinkedCode *code)
{
  if (compiled == NULL || code == NULL)
    return echo_misuse(ctx, echo_loc_unknown(), "kernels are linked: '%s' is NULL",
                       compiled == NULL ? "compiled" : "code");
  *code = (EchoLinkedCode){0};
  Linker linker = {.code = code};
  for (size_t i = 0; i < ECHO_N_KERNEL_IMPORTS; i++)
    linker.stubs[i] = linker.cells[i] = NOWHERE;
  bool ok = true;
  for (size_t i = 0; i < compiled->n_kernels && ok; i++) {
    echo_vector_push(&linker.begins, code->phases.size);
    if (compiled->kernels[i].first < i)
      repeat_phases(&linker, &compiled->kernels[i]);
    else
      ok = link_kernel(&linker, &compiled->kernels[i]);
  }
  echo_vector_destroy(&linker.begins);
  if (!ok)
    echo_linked_code_destroy(code);
  return ok;
}

void echo_linked_code_destroy(EchoLinkedCode *code)
{
  if (code == NULL)
    return;
  echo_buffer_destroy(&code->bytes);
  echo_vector_destroy(&code->cells);
  echo_vector_destroy(&code->phases);
  *code = (EchoLinkedCode){0};
}
