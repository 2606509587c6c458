//! Linking of Ruby over several files.

use crate::fixture::{check, collect_relations};

#[test]
fn reopened_classes_are_one() {
    check(
        "\
//- lib/a.rb
class A
  def b
    c
  end
end
//- lib/more.rb
class A
  def c
    b
    nothing
    puts 1
  end
end
",
        "\
lib/a.rb:3 c -> lib/more.rb:A.c@2 [typed]
lib/more.rb:3 b -> lib/a.rb:A.b@2 [typed]
lib/more.rb:4 nothing -> ? no such member
lib/more.rb:5 puts -> ext ruby.Object.puts",
    );
}

#[test]
fn methods_of_several_files_are_ambiguous() {
    check(
        "\
//- lib/a.rb
class A
  def b = 1
end
//- lib/more.rb
class A
  def b = 2
end
//- lib/use.rb
A.new.b
//- test/a_test.rb
class A
  def b = 3
end
A.new.b
",
        "\
lib/use.rb:1 new -> lib/a.rb:A@1 [scoped]
lib/use.rb:1 b -> ? ambiguous
test/a_test.rb:4 new -> lib/a.rb:A@1 [scoped]
test/a_test.rb:4 b -> test/a_test.rb:A.b@2 [typed]",
    );
}

#[test]
fn receivers_that_are_not_known_lead_nowhere() {
    check(
        "\
//- a.rb
class A
  def only_here = 1
end
def f(x)
  x.only_here
  g.only_here
  Gem::Other.only_here
end
",
        "\
a.rb:5 only_here -> ? unknown receiver type
a.rb:6 g -> ? no such member
a.rb:6 only_here -> ? unknown receiver type
a.rb:7 only_here -> ext Gem.Other.only_here",
    );
}

#[test]
fn classes_are_related() {
    let relations = collect_relations(
        "\
//- a.rb
module M
  def b = 0
end
class A
  def b = 1
  def self.c = 1
end
class B < A
  include M
  def b = 2
  def c = 2
end
",
    );
    assert_eq!(
        relations,
        [
            "a.rb:B.b@10 overrides a.rb:A.b@5",
            "a.rb:B.b@10 overrides a.rb:M.b@2",
            "a.rb:B@8 embeds a.rb:M@1",
            "a.rb:B@8 extends a.rb:A@4",
        ]
    );
}

#[test]
fn circles_end() {
    check(
        "\
//- a.rb
class A < B
  include M
  def x = y
end
class B < A
end
module M
  include M
  include N
end
module N
  include M
end
C = D
D = C
C.new
def f = g
def g = f
f.h
",
        "\
a.rb:3 y -> ? no such member
a.rb:16 new -> ? unknown receiver type
a.rb:17 g -> a.rb:g@18 [scoped]
a.rb:18 f -> a.rb:f@17 [scoped]
a.rb:19 f -> a.rb:f@17 [scoped]
a.rb:19 h -> ? unknown receiver type",
    );
}
