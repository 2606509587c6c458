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
#include \"x\\y.h\"
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
src/a.c:6 -> inc/x/y.h
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

#[test]
fn values_are_counted_through_inner_structs_without_braces() {
    assert_eq!(
        collect_relations(
            "
//- p.c
struct point { int x, y; };
typedef struct { struct point from, to; } line_t;
struct shape { line_t line; struct point *at; char name[8]; union { int i; long l; } u; int (*draw)(int); int (*hide)(int); };
struct many { int sizes[3]; int (*draw)(int); int (*hide)(int); };
struct either { union { int a; long b; }; struct { int c, d; }; int (*draw)(int); int (*hide)(int); };
static int d(int x) { return x; }
static int h(int x) { return x; }
struct shape flat = { 1, 2, 3, 4, 0, \"a\", 5, d, h };
struct shape half = { { 1, 2, { 3, 4 } }, 0, \"a\", { 5 }, d };
struct shape inner = { .line = 1, 2, 3, 4, 0, \"a\", 5, d };
struct many unknown = { 1, 2, 3, d, h };
struct many known = { { 1, 2, 3 }, d, h };
struct either both = { 1, 2, 3, d };
"
        ),
        [
            "p.c:d@6 overrides p.c:either.draw@5",
            "p.c:d@6 overrides p.c:many.draw@4",
            "p.c:d@6 overrides p.c:shape.draw@3",
            "p.c:h@7 overrides p.c:many.hide@4",
            "p.c:h@7 overrides p.c:shape.hide@3",
        ]
    );
    // Each of them by itself.
    for (value, is_known) in [
        ("shape flat = { 1, 2, 3, 4, 0, \"a\", 5, d }", true),
        (
            "shape half = { { 1, 2, { 3, 4 } }, 0, \"a\", { 5 }, d }",
            true,
        ),
        ("shape inner = { .line = 1, 2, 3, 4, 0, \"a\", 5, d }", true),
        ("shape named = { 1, 2, 3, 4, PLACE, \"a\", 5, d }", true),
        ("many unknown = { 1, 2, 3, d }", false),
        ("shape pair = { PAIR, 3, 4, 0, \"a\", 5, d }", false),
        ("shape whole = { { POINT, POINT }, 0, \"a\", 5, d }", true),
        ("shape alias = { CALLED, 3, 4, 0, \"a\", 5, d }", false),
    ] {
        let fixture = format!(
            "//- p.h
#define PLACE 0
#define PAIR 1, 2
#define POINT {{ 1, 2 }}
#define CALLED MAKE(1)
struct point {{ int x, y; }};
typedef struct {{ struct point from, to; }} line_t;
struct shape {{ line_t line; struct point *at; char name[8]; int u; int (*draw)(int); }};
struct many {{ int sizes[3]; int (*draw)(int); }};
//- p.c
#include \"p.h\"
static int d(int x) {{ return x; }}
struct {value};
"
        );
        let found = collect_relations(&fixture);
        assert_eq!(found.len(), usize::from(is_known), "{value}: {found:?}");
    }
}

#[test]
fn what_is_undefined_is_no_macro_any_more() {
    check(
        "
//- a.h
#define size(x) wide(x)
#define left(x) wide(x)
#undef left
int left(int x);
int wide(int x);
//- a.c
#include \"a.h\"
#define each(x) wide(x)
int f(int x) { return each(x) + size(x) + left(x); }
#undef each
#undef size
int each(int x) { return x; }
int size(int x) { return x; }
int left(int x) { return x; }
int wide(int x) { return x; }
int g(int x) { return each(x) + size(x); }
#define each(x) left(x)
int h(int x) { return each(x); }
#ifdef SOME
#undef wide
#endif
",
        "
a.c:2 wide -> a.c:wide@9 [scoped]
a.c:3 each -> a.c:each@2 #define each(x) wide(x) [scoped]
a.c:3 size -> a.h:size@1 [scoped]
a.c:3 left -> a.c:left@8 [scoped]
a.c:10 each -> a.c:each@6 int each(int x) [scoped]
a.c:10 size -> a.c:size@7 [scoped]
a.c:11 left -> a.c:left@8 [scoped]
a.c:12 each -> a.c:each@11 #define each(x) left(x) [scoped]
a.h:1 wide -> a.c:wide@9 [scoped]
a.h:2 wide -> a.c:wide@9 [scoped]
",
    );
}

#[test]
fn a_word_that_is_part_of_another_names_no_other_system() {
    check(
        "
//- crypto/mac/sum.c
int sum_open(void) { return 1; }
//- crypto/other.c
static int sum_open(void) { return 2; }
int o(void) { return sum_open(); }
//- multi_windows/list.h
int list_open(void);
#ifdef MULTI_WINDOWS
int list_many(void);
#endif
//- multi_windows/list.c
#include \"list.h\"
int list_open(void) { return 1; }
int list_many(void) { return 1; }
//- plain/copy/list.c
#include \"../../multi_windows/list.h\"
int list_open(void) { return 2; }
//- multi_windows/main.c
#include \"list.h\"
int main(void) { list_many(); return list_open(); }
",
        "
crypto/other.c:2 sum_open -> crypto/other.c:sum_open@1 [scoped]
multi_windows/main.c:2 list_many -> multi_windows/list.c:list_many@3 [scoped]
multi_windows/main.c:2 list_open -> multi_windows/list.c:list_open@2 [scoped]
",
    );
}

#[test]
fn of_macros_that_are_given_again_the_last_counts() {
    check(
        "
//- a.c
int one(void);
int two(void);
#define pick() one()
#define pick() two()
int f(void) { return pick(); }
",
        "
a.c:3 one -> a.c:one@1 [scoped]
a.c:4 two -> a.c:two@2 [scoped]
a.c:5 pick -> a.c:pick@4 #define pick() two() [scoped]
",
    );
}

#[test]
fn a_static_declaration_makes_the_definition_static() {
    check(
        "
//- a.c
static int start(void);
int start(void) { return 1; }
int a(void) { return start(); }
//- b.h
int start(void);
//- b.c
#include \"b.h\"
int start(void) { return 2; }
//- c.c
#include \"b.h\"
int c(void) { return start(); }
",
        "
a.c:3 start -> a.c:start@2 int start(void) [scoped]
c.c:2 start -> b.c:start@2 [scoped]
",
    );
}

#[test]
fn sources_that_one_file_includes_see_each_other() {
    check(
        "
//- all.c
#include \"part1.c\"
#include \"part2.c\"
//- part1.c
static int shared(void) { return 1; }
//- part2.c
int use(void) { return shared(); }
//- other.c
int shared(void) { return 2; }
",
        "
part2.c:1 shared -> part1.c:shared@1 [named]
",
    );
}
