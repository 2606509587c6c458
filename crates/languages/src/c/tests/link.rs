//! Linking of small C repositories.

use crate::fixture::{check, collect_relations, imports};

#[test]
fn prototypes_lead_to_definitions_and_static_functions_stay_in_their_file() {
    check(
        "
//- src/list.h
int list_add(int item);
static inline int list_first(void) { return list_add(1); }
//- src/list.c
#include \"list.h\"
static int grow(void) { return 1; }
int list_add(int item) { return grow() + item; }
//- src/main.c
#include \"list.h\"
#include <stdio.h>
static int grow(void) { return 2; }
int main(void) {
  grow();
  list_first();
  printf(\"%d\", list_add(2));
  gone();
  return 0;
}
",
        "
src/list.c:3 grow -> src/list.c:grow@2 [scoped]
src/list.h:2 list_add -> src/list.c:list_add@3 [scoped]
src/main.c:5 grow -> src/main.c:grow@3 [scoped]
src/main.c:6 list_first -> src/list.h:list_first@2 [scoped]
src/main.c:7 printf -> ext c.printf
src/main.c:7 list_add -> src/list.c:list_add@3 [scoped]
src/main.c:8 gone -> ? unknown name
",
    );
}

#[test]
fn a_name_that_no_header_declares_is_less_certain() {
    check(
        "
//- a.c
int only(void) { return 1; }
int twice(void) { return 1; }
static int hidden(void) { return 1; }
//- b.c
int twice(void) { return 2; }
//- c.c
void f(void) { only(); twice(); hidden(); }
",
        "
c.c:1 only -> a.c:only@1 [named]
c.c:1 twice -> ? unknown name
c.c:1 hidden -> ? unknown name
",
    );
}

#[test]
fn of_several_definitions_the_one_of_this_system_is_meant() {
    check(
        "
//- include/sys.h
int sys_open(void);
int sys_read(void);
//- src/unix/sys.c
#include \"sys.h\"
int sys_open(void) { return 1; }
#ifdef __APPLE__
int sys_read(void) { return 1; }
#else
int sys_read(void) { return 2; }
#endif
//- src/win/sys.c
#include \"sys.h\"
int sys_open(void) { return 2; }
int sys_read(void) { return 3; }
//- src/win/other.c
#include \"sys.h\"
void g(void) { sys_open(); }
//- src/main.c
#include \"sys.h\"
void f(void) { sys_open(); sys_read(); }
",
        "
src/main.c:2 sys_open -> src/unix/sys.c:sys_open@2 [scoped]
src/main.c:2 sys_read -> src/unix/sys.c:sys_read@6 int sys_read(void) [scoped]
src/win/other.c:2 sys_open -> src/win/sys.c:sys_open@2 [scoped]
",
    );
}

#[test]
fn macros_are_called_and_call() {
    check(
        "
//- util.h
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LOCK(x) do { \\
    lock_it(x, MAX(1, 2)); \\
  } while (0)
#define CALL(f, x) f(x) + (x).g(1) + (x)->h(1) + a##b(2) > lock_it(2, 1)
void lock_it(int x, int y);
//- util.c
#include \"util.h\"
void lock_it(int x, int y) { LOCK(x); MAX(CALL(h, y), lock_it(1, 2)); }
",
        "
util.c:2 LOCK -> util.h:LOCK@2 [scoped]
util.c:2 MAX -> util.h:MAX@1 [scoped]
util.c:2 CALL -> util.h:CALL@5 [scoped]
util.c:2 lock_it -> util.c:lock_it@2 [scoped]
util.h:3 lock_it -> util.c:lock_it@2 [scoped]
util.h:3 MAX -> util.h:MAX@1 [scoped]
util.h:5 lock_it -> util.c:lock_it@2 [scoped]
",
    );
}

const OPERATIONS: &str = "
//- ops.h
struct ops {
  const char *name;
  int (*read)(int);
  int (*write)(int);
};
typedef struct file { const struct ops *ops; struct ops own; } file_t;
//- ops.c
#include \"ops.h\"
static int my_read(int x) { return x; }
static int my_write(int x) { return x; }
static int my_own(int x) { return x; }
static const struct ops named = { .read = my_read, .write = &my_write };
static struct ops table[] = { { \"a\", my_read, my_write }, { .read = my_own } };
void use(file_t *file, struct ops *local, int (*callback)(int)) {
  int read = 1;
  file->ops->read(read);
  (*file->own.write)(2);
  local[1].read(3);
  table[0].write(4);
  callback(5);
  ((struct ops *) unknown())->write(6);
  file->own.read = my_own;
}
";

#[test]
fn calls_through_fields_lead_to_the_field() {
    check(
        OPERATIONS,
        "
ops.c:9 read -> ops.h:ops.read@3 [typed]
ops.c:10 write -> ops.h:ops.write@4 [typed]
ops.c:11 read -> ops.h:ops.read@3 [typed]
ops.c:12 write -> ops.h:ops.write@4 [typed]
ops.c:13 callback -> ? dynamic call
ops.c:14 unknown -> ? unknown name
ops.c:14 write -> ops.h:ops.write@4 [typed]
",
    );
}

#[test]
fn functions_that_fields_hold_stand_for_them() {
    assert_eq!(
        collect_relations(OPERATIONS),
        [
            "ops.c:my_own@4 overrides ops.h:ops.read@3",
            "ops.c:my_read@2 overrides ops.h:ops.read@3",
            "ops.c:my_write@3 overrides ops.h:ops.write@4",
        ]
    );
}

#[test]
fn locals_shadow_and_old_functions_are_read() {
    check(
        "
//- a.c
struct item { int (*weigh)(void); };
int f(void);
int g(a, b)
  struct item *a;
  int b;
{
  { int (*f)(void) = 0; f(); }
  a->weigh();
  return f();
}
int f(void) { struct local { int (*h)(void); } x; x.h(); return g(0, 1); }
",
        "
a.c:7 f -> ? dynamic call
a.c:8 weigh -> a.c:item.weigh@1 [typed]
a.c:9 f -> a.c:f@11 int f(void) [scoped]
a.c:11 h -> a.c:f.local.h@11 [typed]
a.c:11 g -> a.c:g@3 [scoped]
",
    );
}

#[test]
fn includes_are_found_beside_a_file_in_folders_of_the_build_and_by_their_end() {
    assert_eq!(
        imports(
            "
//- compile_commands.json
[{\"directory\": \"/p/build\", \"file\": \"../src/a.c\", \"command\": \"cc -I../deps/new -c ../src/a.c\"}]
//- src/a.c
#include \"b.h\"
#include <lib.h>
#include <stdio.h>
#include \"x/y.h\"
#include <openssl/ssl.h>
//- src/b.h
#include \"../src/a.h\"
//- src/a.h
#include \"b.h\"
//- deps/new/lib.h
int lib(void);
//- deps/old/lib.h
int lib(void);
//- inc/x/y.h
int y;
"
        ),
        "\
src/a.c:1 -> src/b.h
src/a.c:2 -> deps/new/lib.h
src/a.c:3 -> ext stdio.h
src/a.c:4 -> inc/x/y.h
src/a.c:5 -> ext openssl/ssl.h
src/a.h:1 -> src/b.h
src/b.h:1 -> src/a.h"
    );
}

#[test]
fn where_a_switch_of_the_build_decides_either_definition_is_meant() {
    check(
        "//- a.c
#ifdef FEATURE
static int opt(void) { return 1; }
#define LEVEL() opt()
#else
static int opt(void) { return 0; }
#define LEVEL() 0
#endif
#ifdef __linux__
static int sure(void) { return 1; }
#else
static int sure(void) { return 0; }
#endif
int main(void) { sure(); LEVEL(); return opt(); }
",
        "a.c:3 opt -> a.c:opt@2 static int opt(void), a.c:opt@5 static int opt(void) [scoped]
a.c:13 sure -> a.c:sure@9 static int sure(void) [scoped]
a.c:13 LEVEL -> a.c:LEVEL@3 #define LEVEL() opt(), a.c:LEVEL@6 #define LEVEL() 0 [scoped]
a.c:13 opt -> a.c:opt@2 static int opt(void), a.c:opt@5 static int opt(void) [scoped]",
    );
}

#[test]
fn a_value_without_a_label_is_given_to_the_field_behind_the_last_label() {
    assert_eq!(
        collect_relations(
            "
//- p.c
struct point { int x, y; };
struct handler { const char *name; int (*begin)(int); int (*end)(int); struct point at; int (*fail)(int); };
static int f(int x) { return x; }
static int g(int x) { return x; }
static int h(int x) { return x; }
struct handler first = { .name = \"a\", f, .at = { 1, 2 }, g };
struct handler second = { .begin = f, h };
struct handler third = { .fail = f, h };
"
        ),
        [
            "p.c:f@3 overrides p.c:handler.begin@2",
            "p.c:f@3 overrides p.c:handler.fail@2",
            "p.c:g@4 overrides p.c:handler.fail@2",
            "p.c:h@5 overrides p.c:handler.end@2",
        ]
    );
}

#[test]
fn folders_for_quotes_and_of_the_system_are_looked_into_as_a_compiler_does() {
    assert_eq!(
        imports(
            "
//- compile_commands.json
[{\"directory\": \"/p\", \"file\": \"a.c\", \"command\": \"cc -isystem s -iquote q -Ii -c a.c\"}]
//- a.c
#include <one.h>
#include \"one.h\"
#include <two.h>
//- q/one.h
int q;
//- i/one.h
int i;
//- i/two.h
int i;
//- s/two.h
int s;
"
        ),
        "\
a.c:1 -> i/one.h
a.c:2 -> q/one.h
a.c:3 -> i/two.h"
    );
}

#[test]
fn behind_a_macro_no_position_is_counted() {
    assert_eq!(
        collect_relations(
            "
//- p.c
#define HEAD_INIT(t) 1, t,
struct head { int refs; int size; int (*close)(int); int (*show)(int); };
static int c(int x) { return x; }
static int s(int x) { return x; }
struct head one = { HEAD_INIT(0) 3, c, s };
struct head two = { PAIR(1, 2), c, s };
struct head three = { 1, c, s };
"
        ),
        ["p.c:s@4 overrides p.c:head.close@2"]
    );
}
