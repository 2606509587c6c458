//! Tests with a trace of each language, as its runtime writes it.

use super::*;

/// `language error` on the first line, then `path:line:column function` for each frame.
fn shown(text: &str) -> String {
    let mut out = String::new();
    for trace in parse_stack_traces(text) {
        let error = trace.error.as_deref().unwrap_or("-");
        out.push_str(&format!("{:?} {error}\n", trace.language));
        for f in &trace.frames {
            let number = |n: Option<u32>| n.map_or("-".to_owned(), |n| n.to_string());
            out.push_str(&format!(
                "  {} {} {} {}\n",
                f.path,
                number(f.line),
                number(f.column),
                f.function.as_deref().unwrap_or("-")
            ));
        }
    }
    out
}

fn check(text: &str, expected: &str) {
    let lines: Vec<&str> = expected
        .lines()
        .skip(1)
        .map(|l| l.strip_prefix("        ").unwrap_or(l))
        .collect();
    assert_eq!(shown(text).trim_end(), lines.join("\n").trim_end());
}

#[test]
fn python_has_the_innermost_last() {
    check(
        "Traceback (most recent call last):\n  File \"/app/main.py\", line 3, in <module>\n    run()\n  File \"/app/pkg/core.py\", line 40, in run\n    raise ValueError(\"x\")\nValueError: bad table name\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"C:\\app\\b.py\", line 9, in f\nKeyError: 'a'\n",
        "
        Python ValueError: bad table name
          /app/pkg/core.py 40 - run
          /app/main.py 3 - <module>
        Python KeyError: 'a'
          C:/app/b.py 9 - f",
    );
}

#[test]
fn ipython_and_pytest() {
    check(
        "File ~/x/axisgrid.py:2142, in pairplot(data, hue)\n   2140 return 1\nFile ~/x/core.py:12, in get(self)\nKeyError: 'A'\n",
        "
        Python KeyError: 'A'
          ~/x/core.py 12 - get
          ~/x/axisgrid.py 2142 - pairplot",
    );
    check(
        "src/_pytest/main.py:12: AssertionError\n",
        "
        Plain -
          src/_pytest/main.py 12 - -",
    );
}

#[test]
fn javascript_of_three_engines() {
    check(
        "TypeError: Cannot read properties of undefined (reading 'id')\n    at getUser (/srv/app/src/user.ts:10:15)\n    at async Object.handle [as run] (file:///srv/app/src/app.ts:3:1)\n    at webpack-internal:///./src/web.ts?1234:5:6\n    at node:internal/process/task_queues:95:5\n",
        "
        JavaScript TypeError: Cannot read properties of undefined (reading 'id')
          /srv/app/src/user.ts 10 15 getUser
          srv/app/src/app.ts 3 1 Object.handle
          src/web.ts 5 6 -
          node:internal/process/task_queues 95 5 -",
    );
    check(
        "load@http://localhost:3000/src/a.js:12:5\n",
        "
        JavaScript -
          localhost:3000/src/a.js 12 5 load",
    );
}

#[test]
fn java_paths_come_from_packages() {
    check(
        "Exception in thread \"main\" java.lang.IllegalStateException: outer\n\tat com.acme.app.Main.run(Main.java:10)\n\tat java.base/java.lang.Thread.run(Thread.java:833)\nCaused by: java.io.IOException: no space\n\tat com.acme.io.Disk$Writer.flush(Disk.java:77)\n\t... 2 more\n",
        "
        Java Exception in thread \"main\" java.lang.IllegalStateException: outer
          com/acme/app/Main.java 10 - Main.run
          java/lang/Thread.java 833 - Thread.run
        Java java.io.IOException: no space
          com/acme/io/Disk.java 77 - Disk$Writer.flush",
    );
}

#[test]
fn go_names_stand_before_places() {
    check(
        "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nmain.(*Server).run(0xc0000140a0, 0x5)\n\t/srv/u/app/server.go:12 +0x1d\nmain.main()\n\t/srv/u/app/main.go:5 +0x20\n",
        "
        Go panic: runtime error: index out of range [5] with length 3
          /srv/u/app/server.go 12 - main.(*Server).run
          /srv/u/app/main.go 5 - main.main",
    );
}

#[test]
fn rust_panics_and_backtraces() {
    check(
        "thread 'main' panicked at src/cli.rs:88:14:\ncalled `Option::unwrap()` on a `None` value\nstack backtrace:\n   0: rust_begin_unwind\n             at /rustc/90b35a/library/std/src/panicking.rs:652:5\n   3: app::cli::parse\n             at ./src/cli.rs:88:14\n",
        "
        Rust -
          src/cli.rs 88 14 -
          /rustc/90b35a/library/std/src/panicking.rs 652 5 -
          src/cli.rs 88 14 app::cli::parse",
    );
    check(
        "thread 'x' panicked at 'no entry', src/a.rs:2:5\n",
        "
        Rust -
          src/a.rs 2 5 -",
    );
}

#[test]
fn csharp_ruby_and_php() {
    check(
        "System.NullReferenceException: Object reference not set\n   at Acme.Shop.Cart.Add(Item item) in C:\\src\\Shop\\Cart.cs:line 42\n   at Acme.Program.Main()\n",
        "
        CSharp System.NullReferenceException: Object reference not set
          C:/src/Shop/Cart.cs 42 - Acme.Shop.Cart.Add",
    );
    check(
        "Unhandled exception. System.Exception: x\n   at Acme.Cart`1.<AddAsync>d__5.MoveNext() in /src/Cart.cs:line 7\n   at Acme.Cart.<>c.<Sum>b__0_0(Item i) in /src/Cart.cs:line 9\n   at Acme.Cart..ctor(Int32 size) in /src/Cart.cs:line 3\n",
        "
        CSharp Unhandled exception. System.Exception: x
          /src/Cart.cs 7 - Acme.Cart.AddAsync
          /src/Cart.cs 9 - Acme.Cart.Sum
          /src/Cart.cs 3 - Acme.Cart.Cart",
    );
    check(
        "app/models/user.rb:10:in `name': undefined method (NoMethodError)\n\tfrom app/main.rb:3:in 'Object#run'\n",
        "
        Ruby -
          app/models/user.rb 10 - name
          app/main.rb 3 - Object#run",
    );
    check(
        "PHP Fatal error:  Uncaught Exception: no row in /var/www/src/Db.php:12\nStack trace:\n#0 /var/www/src/Repo.php(7): Db->get()\n#1 {main}\n",
        "
        Php -
          /var/www/src/Db.php 12 - -
          /var/www/src/Repo.php 7 - Db->get",
    );
    check(
        "Warning: x in /var/www/a.php on line 9\n",
        "
        Php -
          /var/www/a.php 9 - -",
    );
}

#[test]
fn c_of_four_debuggers() {
    check(
        "Program received signal SIGSEGV, Segmentation fault.\n#0  0x00007ffff7 in raise () from /lib/libc.so.6\n#1  0x0000555 in lookupKey (db=0x7f, key=0x1) at ../src/db.c:112\n#2  processCommand (c=0x7ff) at server.c:3912\n",
        "
        C Program received signal SIGSEGV, Segmentation fault.
          ../src/db.c 112 - lookupKey
          server.c 3912 - processCommand",
    );
    check(
        "==77==ERROR: AddressSanitizer: heap-use-after-free on address 0x60\n    #0 0x4b5c1 in sdsfree /build/redis/src/sds.c:190:15\n    #1 0x4c000 in std::vector<int>::at(unsigned long) src/a.cpp:5\n    #2 0x7f00 (/lib/libc.so.6+0x21b96)\n",
        "
        C ==77==ERROR: AddressSanitizer: heap-use-after-free on address 0x60
          /build/redis/src/sds.c 190 15 sdsfree
          src/a.cpp 5 - std::vector<int>::at",
    );
    check(
        "  * frame #0: 0x0000000100003f6c redis-server`zmalloc(size=8) at zmalloc.c:99:3\n    frame #1: 0x01 redis-server`main at server.c:7000:5 [opt]\n",
        "
        C -
          zmalloc.c 99 3 zmalloc
          server.c 7000 5 main",
    );
    check(
        "==1234== Invalid read of size 4\n==1234==    at 0x4C2FB0F: push (list.c:29)\n==1234==    by 0x108668: main (test.c:5)\n",
        "
        C ==1234== Invalid read of size 4
          list.c 29 - push
          test.c 5 - main",
    );
}

#[test]
fn goroutines_and_blocks_have_the_names_of_their_functions() {
    check(
        "goroutine 7 [running]:\nmain.(*S).run.func1({0xc0, 0x1})\n\t/srv/app/s.go:12 +0x1d\ncreated by main.main in goroutine 1\n\t/srv/app/main.go:5 +0x20\n",
        "
        Go -
          /srv/app/s.go 12 - main.(*S).run.func1
          /srv/app/main.go 5 - main.main",
    );
    check(
        "app/a.rb:10:in `block (2 levels) in run': bad (ArgumentError)\n\tfrom app/b.rb:3:in 'Enumerable#each'\n",
        "
        Ruby -
          app/a.rb 10 - run
          app/b.rb 3 - Enumerable#each",
    );
}

#[test]
fn prose_is_no_trace() {
    for text in [
        "it fails at 12:30:45 on localhost:8080",
        "see http://example.org:80/a.html for the docs",
        "at least two of them are wrong: 5",
        "version 1.2.3: 4 new things",
        "at: x",
        "::::",
        "@:1:1",
        "File \"",
        "#0 (",
    ] {
        assert!(
            parse_stack_traces(text).is_empty(),
            "{text}: {:?}",
            parse_stack_traces(text)
        );
    }
}

#[test]
fn any_text_is_survived() {
    let pieces = [
        "at ",
        "(",
        ")",
        ":1",
        ".py",
        "File \"",
        "\", line ",
        "é",
        "#0 ",
        ".php(",
        "in ",
        "@/",
        "panicked at ",
        "\n",
        "\t",
        " +0x",
    ];
    let mut seed = 7_u64;
    for _ in 0..3_000 {
        let mut text = String::new();
        for _ in 0..12 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            text.push_str(pieces[(seed % pieces.len() as u64) as usize]);
        }
        parse_stack_traces(&text);
    }
}

#[test]
fn languages_of_which_only_names_are_read() {
    check(
        "** (ArgumentError) bad\n    (shop 0.1.0) lib/shop/cart.ex:12: Shop.Cart.add/2\n    lib/shop.ex:3: anonymous fn/1 in Shop.run/0\n",
        "
        Elixir ** (ArgumentError) bad
          lib/shop/cart.ex 12 - Shop.Cart.add
          lib/shop.ex 3 - Shop.run",
    );
    check(
        "exception error: bad\n  in function  cart:add/2 (src/cart.erl, line 12)\n",
        "
        Erlang exception error: bad
          src/cart.erl 12 - cart.add",
    );
    check(
        "crash\n[{cart,add,2,[{file,\"src/cart.erl\"},{line,12}]},\n {shop,run,0,[{file,\"src/shop.erl\"},{line,3}]}]\n",
        "
        Erlang crash
          src/cart.erl 12 - cart.add
          src/shop.erl 3 - shop.run",
    );
    check(
        "Fatal error: exception Empty\nRaised at Shop__Cart.add in file \"src/cart.ml\", line 12, characters 4-19\nCalled from Shop.run in file \"src/shop.ml\" (inlined), line 3, characters 2-8\n",
        "
        OCaml Fatal error: exception Empty
          src/cart.ml 12 - Cart.add
          src/shop.ml 3 - Shop.run",
    );
    check(
        "Unhandled exception:\nBad state: no element\n#0      Cart.add (package:shop/src/cart.dart:12:5)\n#1      main.<anonymous closure> (file:///app/bin/main.dart:3:7)\n",
        "
        Dart Bad state: no element
          src/cart.dart 12 5 Cart.add
          app/bin/main.dart 3 7 main",
    );
    check(
        "ERROR: bad\nStacktrace:\n [1] add(cart::Cart, n::Int64)\n   @ Shop ~/shop/src/Shop.jl:12\n [2] top-level scope\n   @ main.jl:3\n",
        "
        Julia Stacktrace:
          shop/src/Shop.jl 12 - add
          main.jl 3 - top-level",
    );
    check(
        "Empty at lib/Shop/Cart.pm line 12.\n\tShop::Cart::add(1) called at bin/shop.pl line 3\n",
        "
        Perl -
          lib/Shop/Cart.pm 12 - -
          bin/shop.pl 3 - Shop::Cart::add",
    );
}
