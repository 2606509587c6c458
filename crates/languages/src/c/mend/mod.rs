//! Mends C and C++ sources that only the preprocessor makes valid and the grammars cannot read: see `crate::conditions`,
//! `statements` and `macros`. Code is blanked or replaced in place, so that all other code keeps its position.

mod code;
mod forms;
mod macros;
mod namespaces;
mod statements;

use crate::conditions::{self, blank};

/// The byte that replaces macro text that is skipped.
pub(crate) const PASSED: u8 = 0x0c;

/// A source in which code that the C++ grammar cannot read is blank. It has the same number of bytes and lines as the original.
/// `None` if there is nothing to mend.
pub(crate) fn mend_cpp(source: &str) -> Option<String> {
    mend(source, false)
}

/// Whether the C++ grammar misreads a source: it takes a macro in the head of a class for the class's name, or a macro that
/// opens a namespace for a type.
pub(crate) fn is_misread_cpp(source: &str) -> bool {
    let bytes = source.as_bytes();
    macros::is_in_head(bytes) || !namespaces::find_edits(bytes).is_empty()
}

/// A source in which code that the C grammar cannot read is blank; `None` if there is nothing to mend.
pub(super) fn mend_c(source: &str) -> Option<String> {
    mend(source, true)
}

fn mend(source: &str, is_c: bool) -> Option<String> {
    let mut text = source.as_bytes().to_vec();
    let are_joined = join_lines(&mut text);
    let conditions = conditions::find_blanks(source);
    blank(&mut text, &conditions);
    let edits = if is_c {
        statements::find_edits(&text)
    } else {
        namespaces::find_edits(&text)
    };
    for edit in &edits {
        put(&mut text, edit);
    }
    let forms = if is_c {
        Vec::new()
    } else {
        forms::find_edits(&text)
    };
    for edit in &forms {
        put(&mut text, edit);
    }
    let macros = macros::find_blanks(&text, is_c);
    for (from, to) in &macros {
        let edit = statements::Edit {
            from: *from,
            to: *to,
            with: b"",
            fill: PASSED,
        };
        put(&mut text, &edit);
    }
    let is_same =
        conditions.is_empty() && edits.is_empty() && forms.is_empty() && macros.is_empty();
    if is_same && !are_joined {
        return None;
    }
    String::from_utf8(text).ok()
}

/// Moves a backslash before `\r\n` next to the `\n`: in a literal the grammars take `\` and `\r` for an escape, and the
/// line's end for the end of the literal. Returns whether there was one.
fn join_lines(text: &mut [u8]) -> bool {
    let mut found = false;
    let mut from = 0;
    while let Some(next) = text[from..].windows(3).position(|three| three == b"\\\r\n") {
        text[from + next..from + next + 2].copy_from_slice(b" \\");
        from += next + 3;
        found = true;
    }
    found
}

/// Replaces a range; line breaks stay.
fn put(text: &mut [u8], edit: &statements::Edit) {
    let mut with = edit.with.iter();
    for byte in &mut text[edit.from..edit.to] {
        if !matches!(*byte, b'\n' | b'\r') {
            *byte = with.next().copied().unwrap_or(edit.fill);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{mend_c, mend_cpp, statements};

    fn check(source: &str, expected: &str) {
        let mended = mend_cpp(source).unwrap_or_else(|| source.to_owned());
        assert_eq!(mended.len(), source.len());
        let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(squeeze(&mended), squeeze(expected), "{source}");
    }

    #[test]
    fn one_branch_is_kept_where_braces_do_not_match() {
        check(
            "#ifdef A\nint f(long x) {\n#else\nint f(int x) {\n#endif\n  return x;\n}\n",
            "int f(long x) { return x; }",
        );
        check(
            "void f() {\n#if A\n if (x) {\n#endif\n  g();\n#if A\n }\n#endif\n}\n",
            "void f() { if (x) { g(); } }",
        );
        // The grammar reads balanced branches outside of functions.
        let both = "#if A\nint f() { return 1; }\n#else\nint f() { return 2; }\n#endif\n";
        check(both, both);
        // Braces in strings and comments do not count.
        let quoted = "#if A\nchar a = '{'; // {\n#else\nchar *b = \"{\"; /* { */\n#endif\n";
        check(quoted, quoted);
        // A statement outside of functions that contains such braces.
        check(
            "A(int x)\n#if A\n : x_(x),\n   y_(1)\n#else\n : x_(x)\n#endif\n{\n}\n",
            "A(int x) : x_(x), y_(1) { }",
        );
        // In a function, the grammar cannot read branches inside a statement.
        check(
            "void f() {\n x = a\n#if A\n + 1\n#elif B\n + 2\n#endif\n ;\n}\n",
            "void f() { x = a + 1 ; }",
        );
    }

    #[test]
    fn macros_around_definitions_go() {
        check("API_EXPORT int f(void) {}", "int f(void) {}");
        check("FMT_CONSTEXPR20 std::string f() {}", "std::string f() {}");
        check("static ALWAYS_INLINE T<int> f() {}", "static T<int> f() {}");
        check("DEPRECATED(\"x\") int f(void);", "int f(void);");
        check("class API_EXPORT Cache {};", "class Cache {};");
        check("class Cache LIB_FINAL {};", "class Cache {};");
        check(
            "struct A { int f() const LIB_OVERRIDE; };",
            "struct A { int f() const ; };",
        );
        check(
            "class A { A(int x) LIB_NOEXCEPT : x_(x) {} };",
            "class A { A(int x) : x_(x) {} };",
        );
        check(
            "void f(const A& a LIB_BOUND, int b LIB_BUILTIN);",
            "void f(const A& a , int b );",
        );
        check("int LIB_CALL f(int a);", "int f(int a);");
        check(
            "class A { LIB_CONSTEXPR A(int x) : x_(x) {} LIB_API ~A(); };",
            "class A { A(int x) : x_(x) {} ~A(); };",
        );
        check(
            "struct Cache LIB_FINAL : Base {};",
            "struct Cache : Base {};",
        );
        check("class LIB_API Cache LIB_FINAL {};", "class Cache {};");
        check("int f(void) NO_THROW;", "int f(void) ;");
        check("int x GUARDED_BY(mutex);", "int x GUARDED_BY(mutex);");
        check("Foo x_ GUARDED_BY(mutex);", "Foo x_ ;");
        check(
            "BEGIN_NAMESPACE\nnamespace a {\n}\nEND_NAMESPACE\n",
            "namespace{ namespace a { } }",
        );
        check(
            "LUA_API int (lua_gettop) (State *L);",
            "int (lua_gettop) (State *L);",
        );
        check(
            "MODULE_API int (*Module_Call)(int) MODULE_ATTR;",
            "int (*Module_Call)(int) ;",
        );
        check("PROTO(a)\nPROTO(b)\nint f(void);\n", "int f(void);");
        check("MY_EXTERN(int) f(int a);", "int f(int a);");
        check(
            "BEGIN_DECL\nMY_EXTERN(int) f(int a);\nEND_DECL\n",
            "int f(int a);",
        );
        check(
            "MY_EXTERN(const char *) name(void);\nAPI(size_t) size(void);",
            "const char * name(void); size_t size(void);",
        );
    }

    #[test]
    fn forms_that_the_grammar_does_not_read_are_put_otherwise() {
        check(
            "void f() { if LIB_CONSTEXPR (a) b(); }",
            "void f() { if (a) b(); }",
        );
        check(
            "void f() { LIB_TRY { b(); } LIB_CATCH(...) {} }",
            "void f() { { b(); } {} }",
        );
        check("void f() { g(a, throw b(c)); }", "void f() { g(a, b(c)); }");
        check(
            "void f() { if (unsigned(a) < b) c(); }",
            "void f() { if (uint32_t(a) < b) c(); }",
        );
        check(
            "void f(A a = {}, B b = {}) {}",
            "void f(A a = 0 , B b = 0 ) {}",
        );
        check(
            "const char* a = \"b\" LIB_STRING(c) \"d\";",
            "const char* a = \"b\" \"d\";",
        );
        check(
            "int a;\nLIB_AS(char, unsigned int);\nint b;",
            "int a; ; int b;",
        );
        check(
            "int f() { return LIB_GET(double); }",
            "int f() { return LIB_GET(0 ); }",
        );
        check(
            "template <typename T, typename P = const T*> struct A {};",
            "template <typename T, typename P = const T > struct A {};",
        );
        check(
            "#if HAS(<a.h>) && B\nint a;\n#endif\n",
            "#if HAS(1 ) && B int a; #endif",
        );
        check(
            "#define A(b) \\\n  (b /* c */ + 1)\nint d = f(throw e);\n",
            "#define A(b) \\ (b + 1) int d = f( e);",
        );
        check(
            "#if HAS(a::b)\nint a;\n#endif\n",
            "#if HAS(1 ) int a; #endif",
        );
    }

    #[test]
    fn names_in_capitals_stay() {
        for source in [
            "FILE *f(void);",
            "BOOL f(int x) { return FALSE; }",
            "BOOL\nf(int x)\n{\n}\n",
            "static const int MAX = 3;",
            "enum { ONE,\n TWO\n};\n",
            "struct FOO { int x; };",
            "enum FOO bar;",
            "DWORD x;",
            "int f(FOO a, BAR b);",
            "TEST(a, b) { }",
            "#define FOO BAR int x\nint y;",
        ] {
            check(source, source);
        }
    }

    fn check_c(source: &str, expected: &str) {
        let mended = mend_c(source).unwrap_or_else(|| source.to_owned());
        assert_eq!(mended.len(), source.len());
        assert_eq!(mended.lines().count(), source.lines().count());
        let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(squeeze(&mended), squeeze(expected), "{source}");
    }

    #[test]
    fn macros_of_c_are_put_otherwise() {
        for (source, expected) in [
            (
                "void f() { EACH_OF(a, b) { g(); } }",
                "void f() { while (a, b) { g(); } }",
            ),
            (
                "void f() { EACH_OF(a, b)\n  g();\n}",
                "void f() { while (a, b) g(); }",
            ),
            (
                "void f() {\n  LOCK(a)\n  g();\n}",
                "void f() { LOCK(a) ; g(); }",
            ),
            (
                "void f() { if (a) X(b) else g(); }",
                "void f() { if (a) X(b);else g(); }",
            ),
            (
                "void f() { g(a, struct b *, c, >=); }",
                "void f() { g(a, 0 , c, 0 ); }",
            ),
            ("struct a { LIST(, b) c; };", "struct a { LIST( b) c; };"),
            (
                "void f() { LIST(, struct a) b; }",
                "void f() { LIST( struct a) b; }",
            ),
            ("void f() {\n  LOCK(int)\n}", "void f() { }"),
            ("enum a { CODES(int) LAST };", "enum a { LAST };"),
            ("struct a { FIELDS(x)\n  int y;\n};", "struct a { int y; };"),
            ("enum a { CODES(X) LAST };", "enum a { LAST };"),
            ("char *a = \"a\" TEXT(b) \"c\";", "char *a = \"a\" \"c\";"),
            ("DECLARE(a)\nDECLARE(b)\nint x;", "int x;"),
            ("BENCH(a, 3) { f(); }", "BENCH(a ) { f(); }"),
            ("ONLY(static int f(int x)) { }", "static int f(int x) { }"),
            (
                "static void like(1, 2)\nf(int x) { }",
                "static void f(int x) { }",
            ),
            (
                "int f(__unused int a, char *b __unused) { }",
                "int f( int a, char *b ) { }",
            ),
            ("static __dead void f(void);", "static void f(void);"),
            (
                "#define gone\nint f(int a gone, int b);",
                "#define gone\nint f(int a , int b);",
            ),
            ("int WINAPI f(int a);", "int f(int a);"),
            (
                "typedef int (WINAPI *f)(int a);",
                "typedef int ( *f)(int a);",
            ),
        ] {
            check_c(source, expected);
        }
    }

    #[test]
    fn literals_go_on_behind_the_line_ends_of_windows() {
        let source = "char *a = \"b\\\r\nc\";\r\n";
        let expected = "char *a = \"b \\\nc\";\r\n";
        assert_eq!(mend_c(source).as_deref(), Some(expected));
        assert_eq!(mend_cpp(source).as_deref(), Some(expected));
        assert_eq!(mend_c(&source.replace('\r', "")), None);
    }

    #[test]
    fn declarations_between_macros_keep_their_types() {
        check_c(
            "BEGIN_DECL\nMY_EXTERN(int) a(int b);\nMY_EXTERN(const char *) b(void);\nEND_DECL\n",
            "int a(int b); const char * b(void);",
        );
    }

    #[test]
    fn what_the_grammar_of_c_reads_stays() {
        for source in [
            "int main(argc, argv) int argc; char **argv; { }",
            "void f(struct a *b, const char *c, foo_t d) { }",
            "void f() { g(a, b); x = (struct a) { 1 }; h((char *)a, sizeof(struct b)); }",
            "struct a { LIST(b) c; int (*d)(struct a *); };",
            "enum a { ONE = X(1), TWO };",
            "int a[] = { X(1), Y(2) };",
            "void f() { if (a) { } while (b) { } switch (c) { } for (;;) { } do { } while (d); }",
            "int f(FILE *a, BOOL b);",
            "__attribute__((noreturn)) void f(void);",
            "void f() { int g(struct a *); return (x) * (y); }",
        ] {
            check_c(source, source);
        }
    }

    #[test]
    fn stretches_that_are_put_otherwise_grow_with_the_source() {
        let bytes = |source: &str| -> usize {
            let edits = statements::find_edits(source.as_bytes());
            edits.iter().map(|edit| edit.to - edit.from).sum()
        };
        for (open, close) in [
            ("\"a\" W(", ")"),
            ("WORD(a, <, struct b *, ", ")"),
            ("void f() { EACH(a) ", "}"),
            ("enum { W(", ") X }"),
            ("W(int f(int x), 3) { ", "}"),
            ("= { X(", ") 1 }"),
        ] {
            let source = |many: usize| format!("{}{}", open.repeat(many), close.repeat(many));
            let (one, two) = (bytes(&source(100)), bytes(&source(200)));
            assert!(two <= one * 2 + 100, "{open}: {one} and {two}");
        }
    }
}
