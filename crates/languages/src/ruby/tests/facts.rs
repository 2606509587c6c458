//! Facts of Ruby.

use crate::extract;
use base::Language;
use base::facts::*;

const SOURCE: &str = "\
# Copyright.

# A shop.
module Shop
  LIMIT = 3 # not documentation

  # Sells things.
  # In bulk.
  class Cart < Base
    # Adds one.
    def add(item, count = 1, *rest, key:, &block)
      return if item.nil?
      rest.each { |one| add(one) } unless rest.empty? && count > LIMIT
      case item
      when String then 1
      when Integer then 2
      else 3
      end
    end

    def self.open = new

    def ==(other) = true
  end

  class Errors::Full < StandardError; end

  class << self
    def build; end
  end
end

def helper(x)
  x ? 1 : 2
end
";

fn facts(source: &str) -> FileFacts {
    let facts = extract(Language::Ruby, source);
    assert_eq!(facts.syntax_errors, 0, "{source}");
    facts
}

#[test]
fn definitions_have_kinds_and_owners() {
    let facts = facts(SOURCE);
    let all = facts.defs.iter().zip(0..);
    let shown: Vec<String> = all
        .filter(|(def, _)| !def.flags.has(DefFlags::ANONYMOUS))
        .map(|(def, at)| format!("{} {}", def.kind.as_str(), facts.qualified_name(DefId(at))))
        .collect();
    assert_eq!(
        shown,
        [
            "module Shop",
            "constant Shop.LIMIT",
            "class Shop.Cart",
            "method Shop.Cart.add",
            "method Shop.Cart.open",
            "method Shop.Cart.==",
            "class Shop.Full",
            "method Shop.build",
            "function helper",
        ]
    );
}

#[test]
fn definitions_are_described() {
    let facts = facts(SOURCE);
    let doc = |at: u32| facts.def(DefId(at)).doc.as_deref();
    assert_eq!(doc(0), Some("A shop."));
    assert_eq!(doc(1), None);
    assert_eq!(doc(2), Some("Sells things. In bulk."));
    assert_eq!(doc(3), Some("Adds one."));
    assert_eq!(doc(5), None);
    let signature = |at: u32| &*facts.def(DefId(at)).signature_text;
    assert_eq!(signature(2), "class Cart < Base");
    assert_eq!(
        signature(3),
        "def add(item, count = 1, *rest, key:, &block)"
    );
    let params = &facts.def(DefId(3)).callable.as_ref().unwrap().params;
    let names: Vec<&str> = params.iter().map(|p| facts.name(p.name)).collect();
    assert_eq!(names, ["item", "count", "rest", "key", "block"]);
    assert!(facts.def(DefId(5)).flags.has(DefFlags::STATIC));
}

#[test]
fn branches_count() {
    let facts = facts(SOURCE);
    let measured = |at: u32| facts.def(DefId(at)).complexity.cyclomatic;
    // Two modifiers, `&&`, and two arms.
    assert_eq!(measured(3), 6);
    assert_eq!(measured(5), 1);
    assert_eq!(measured(9), 2);
}

#[test]
fn calls_and_imports_are_read() {
    let facts = facts("require 'json'\nrequire_relative 'a/b'\nputs f(1)\nx = 1\nx\n");
    assert!(Language::Ruby.has_calls());
    let names = facts.calls.iter().map(|site| facts.called_name(site.expr));
    let names: Vec<&str> = names.flatten().map(|name| facts.name(name)).collect();
    assert_eq!(names, ["f", "puts"]);
    let imports: Vec<(&str, u32)> = facts
        .imports
        .iter()
        .map(|import| (facts.name(import.module), import.level))
        .collect();
    assert_eq!(imports, [("json", 0), ("a/b", 1)]);
}

#[test]
fn fields_and_writes_are_read() {
    let facts = facts("class A\n  def b\n    @c = 1\n    @c = 2\n    @d\n  end\nend\n");
    let fields = facts.defs.iter().filter(|def| def.kind.as_str() == "field");
    let fields: Vec<&str> = fields.map(|def| facts.name(def.name)).collect();
    assert_eq!(fields, ["@c"]);
    assert_eq!(facts.writes.len(), 2);
}

#[test]
fn visibility_is_known() {
    let source = "class A\n  private\n  def b; end\n  public\n  def c; end\n  private def d; end\n  def e; end\n  private :e\n  def self.f; end\n  private_class_method :f\nend\n";
    let facts = facts(source);
    let hidden = facts
        .defs
        .iter()
        .filter(|def| def.visibility == base::Visibility::Private);
    let hidden: Vec<&str> = hidden.map(|def| facts.name(def.name)).collect();
    assert_eq!(hidden, ["b", "d", "e", "f"]);
}

#[test]
fn tests_are_known() {
    let source = "describe 'a' do\n  it('works') { 1 }\nend\nclass BTest < Minitest::Test\n  def test_c; end\n  def other; end\n  test 'd' do\n  end\nend\n";
    let facts = facts(source);
    let tests = facts
        .defs
        .iter()
        .filter(|def| def.flags.has(DefFlags::TEST));
    let tests: Vec<&str> = tests.map(|def| facts.name(def.name)).collect();
    assert_eq!(tests, ["works", "test_c", "d"]);
}

#[test]
fn methods_that_calls_make_are_found() {
    let source = "class A\n  attr_reader :b, :c\n  alias d b\n  alias :h :b\n  alias_method :e, :b\n  define_method(:f) { 1 }\n  def g; attr_reader :no; end\nend\n";
    let found = crate::fixture::names::names(Language::Ruby, source);
    let expected = [
        "class A",
        "property A.b",
        "property A.c",
        "method A.d",
        "method A.h",
        "method A.e",
        "method A.f",
        "method A.g",
    ];
    assert_eq!(found, expected);
}
