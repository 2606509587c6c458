//! The facts of a file: plain tables that refer to each other by index.
//!
//! The shape is one for all languages. A language module translates its syntax tree into these
//! tables; the linker, which never sees a syntax tree, evaluates them.

use crate::{Language, MarkKind, Span, SymbolKind, Visibility};
use serde::{Deserialize, Serialize};

macro_rules! index {
    ($($(#[$doc:meta])* $name:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as a `usize`.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

index! {
    /// Index into [`FileFacts::names`].
    NameId,
    /// Index into [`FileFacts::defs`].
    DefId,
    /// Index into [`FileFacts::scopes`].
    ScopeId,
    /// Index into [`FileFacts::exprs`].
    ExprId,
    /// Index into [`FileFacts::types`].
    TypeId,
    /// Index into [`FileFacts::imports`].
    ImportId,
    /// Index into [`FileFacts::choices`].
    ChoiceId,
}

/// The scope of the whole file is always the first.
pub const FILE_SCOPE: ScopeId = ScopeId(0);

/// The index of an [`Expr::Payload`] that means the matched variant or struct itself. In a struct pattern, the fields are its members.
pub const WHOLE_VARIANT: u32 = u32::MAX;

/// The facts of one file, read without any other file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileFacts {
    /// The language it was read as.
    pub language: Language,
    /// Number of lines.
    pub lines: u32,
    /// Every distinct identifier and module specifier once.
    pub names: Vec<Box<str>>,
    /// Definitions in order of appearance; a parent comes before its children.
    pub defs: Vec<Def>,
    /// Lexical scopes; a parent comes before its children, and the file's own scope is the first.
    pub scopes: Vec<Scope>,
    /// Bindings of all scopes, sorted by scope, then in order of appearance.
    pub bindings: Vec<Binding>,
    /// Expressions in calls, bindings and returns.
    pub exprs: Vec<Expr>,
    /// Written types.
    pub types: Vec<TypeExpr>,
    /// Imports, one entry for each bound (or globbed) name.
    pub imports: Vec<Import>,
    /// What branches bind a name to, where they meet: two or more for each, none of them a choice itself.
    pub choices: Vec<Box<[Bound]>>,
    /// Exports of the file, if the language declares them apart from visibility (ECMAScript, CommonJS, Python's `__all__`).
    pub exports: Vec<Export>,
    /// Call sites.
    pub calls: Vec<CallSite>,
    /// Places that refer to a definition, import or type without calling it.
    pub references: Vec<RefSite>,
    /// Places that write to a name or member.
    pub writes: Vec<WriteSite>,
    /// Further facts, such as decorators and how errors are handled, in order of appearance.
    pub marks: Vec<Mark>,
    /// Go: the package clause. Java, Scala: the package. Otherwise `None`.
    pub package: Option<NameId>,
    /// Go: the expression of the file's `//go:build` line. Scala: the package clauses, if there are several.
    pub constraint: Option<NameId>,
    /// Number of ERROR and MISSING nodes in the tree.
    pub syntax_errors: u32,
    /// Whether only the beginning of the file was parsed, or nothing: recovery from errors would have taken the parser far too long.
    pub parse_gave_up: bool,
    /// Why nothing of the file was read, if its parser failed.
    pub unparsed: Option<Unparsed>,
    /// Subtrees that were not read because they nest too deeply.
    pub too_deep: u32,
    /// Whether the first lines say that the file was generated.
    pub generated: bool,
    /// Whether the file is meant to be run: its first line begins with `#!`, or it has Python's `if __name__ == …`.
    pub is_program: bool,
    /// Whether the file has only white space.
    pub is_blank: bool,
}

/// Why a parser in a process of its own returned no facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Unparsed {
    /// The process exited, or its answer was invalid.
    Failed,
    /// Its process took too long.
    TooSlow,
    /// The process was not asked. This says nothing about the file, and the cache does not keep it.
    NotTried,
    /// Its process took too much memory.
    TooLarge,
    /// The process was killed from outside. This says nothing about the file: the next update tries again.
    Interrupted,
}

impl Unparsed {
    /// The reason for files that the next update tries again.
    pub const INTERRUPTED: &'static str = "parsing was interrupted";

    /// The reason as people read it.
    pub fn as_str(self) -> &'static str {
        match self {
            Unparsed::Failed => "parsing failed",
            Unparsed::TooSlow => "parsing took too long",
            Unparsed::NotTried => "not parsed, since other files took too long",
            Unparsed::TooLarge => "parsing took too much memory",
            Unparsed::Interrupted => Unparsed::INTERRUPTED,
        }
    }

    /// Whether the same content would have the same result again.
    pub fn is_lasting(self) -> bool {
        !matches!(self, Unparsed::NotTried | Unparsed::Interrupted)
    }
}

/// A definition. `parent` is the definition (class, function, impl, module) that encloses it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Def {
    /// The name; for `impl` blocks the text of the self type; `<anonymous>` if there is none.
    pub name: NameId,
    /// Kind of symbol.
    pub kind: SymbolKind,
    /// The enclosing definition.
    pub parent: Option<DefId>,
    /// The scope around it.
    pub scope: ScopeId,
    /// The scope it opens: a function's parameters and body, a class's or module's members.
    pub body: Option<ScopeId>,
    /// Span from the first decorator or modifier to the last brace.
    pub span: Span,
    /// Line of the name, from 1.
    pub name_line: u32,
    /// Column of the name in bytes, from 0.
    pub name_column: u32,
    /// Bytes of the file that hold the signature (up to the body); end exclusive.
    pub signature: (u32, u32),
    /// The signature on one line, at most 200 bytes; empty for anonymous definitions. Set by `Builder::finish` of `syntax`.
    pub signature_text: Box<str>,
    /// The first paragraph of the documentation, comment marks removed, at most 400 bytes.
    pub doc: Option<Box<str>>,
    /// Visibility.
    pub visibility: Visibility,
    /// Properties that are on or off.
    pub flags: DefFlags,
    /// Type parameters, in order.
    pub type_params: Box<[TypeParam]>,
    /// Superclasses, extended interfaces, implemented interfaces and traits; Go: embedded types.
    /// Rust `impl Trait for T`: the trait, on the impl. Rust `trait A: B`: B.
    pub supers: Box<[(TypeId, SuperKind)]>,
    /// Functions and methods.
    pub callable: Option<Box<Callable>>,
    /// Variables, constants, fields, properties: the written type. Type aliases and associated
    /// types: the aliased type. `impl` blocks: the self type.
    pub ty: Option<TypeId>,
    /// Variables, constants, fields: the initial value. Rust macros that return the contents of their first argument: an [`Expr::Try`].
    pub value: Option<ExprId>,
    /// Decorators and annotations, as expressions (a bare name or a call).
    pub decorators: Box<[ExprId]>,
    /// Functions and methods: complexity.
    pub complexity: Complexity,
    /// Rust: the `cfg` predicate under which it exists, including those of enclosing definitions.
    pub condition: Option<NameId>,
}

/// Bit set of properties of a [`Def`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DefFlags(pub u32);

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $bit:expr,)*) => {
        impl DefFlags {
            $($(#[$doc])* pub const $name: DefFlags = DefFlags(1 << $bit);)*

            /// Flags that change the meaning of names and calls in other files. The other flags only describe the definition.
            pub const FOR_LINKING: DefFlags = DefFlags(DefFlags::OVERRIDES.0 - 1);

            /// Whether every bit of `other` is set.
            pub fn has(self, other: DefFlags) -> bool {
                self.0 & other.0 == other.0
            }

            /// Sets every bit of `other`.
            pub fn set(&mut self, other: DefFlags) {
                self.0 |= other.0;
            }
        }
    };
}

flags! {
    /// Visible outside the file by an export statement, `pub`, an upper-case name (Go), and so on.
    EXPORTED = 0,
    /// Belongs to the class, not to an instance. Rust: an associated function without `self`.
    STATIC = 1,
    /// `async`.
    ASYNC = 2,
    /// Without a body, or declared abstract.
    ABSTRACT = 3,
    /// A getter or an attribute-like property: using the member calls it.
    GETTER = 4,
    /// A setter.
    SETTER = 5,
    /// Has no name and is bound to none. It makes no node, and its calls belong to the enclosing definition.
    ANONYMOUS = 6,
    /// A generator: calling it returns an iterator over the yielded values.
    GENERATOR = 7,
    /// Python `@classmethod`: the first parameter is the class.
    CLASS_METHOD = 8,
    /// The file's default export.
    DEFAULT_EXPORT = 9,
    /// A test, by the language's convention.
    TEST = 10,
    /// Rust `mod x;`: the body is another file.
    OUT_OF_LINE = 11,
    /// C++: a method that others may override.
    VIRTUAL = 11,
    /// Exists for types alone (`declare`, overload signature): another definition has the body.
    DECLARATION_ONLY = 12,
    /// Go: the receiver, Rust: `self`, is a pointer or reference. C++: a constant method.
    BY_REFERENCE = 13,
    /// Python: one of several definitions with the same name in one scope where only the last is bound, or a definition under a
    /// condition. Rust: a definition whose `cfg` holds only on platforms other than Linux.
    CONDITIONAL = 14,
    /// In the body of a function: local to it.
    LOCAL = 15,
    /// Go `type A = B`: another name for the same type, not a type of its own. C++: a macro that opens namespaces, whose members
    /// others find through it.
    ALIAS = 16,
    /// Rust: a method that returns the result of a method of the same name on `self`.
    DELEGATES = 17,
    /// TypeScript: declared for all files, by `declare global`.
    GLOBAL = 17,
    /// C: a macro that may stand for several values, or for none.
    SEVERAL_VALUES = 11,
    /// C: a macro that stands for a list in braces.
    BRACED = 8,
    /// C: a field of a struct or union without a name, which counts as one of the type around it.
    IN_ANONYMOUS = 16,
    /// C: such a field of a union, beside another that stands for all.
    SHARES_PLACE = 17,
    /// C++: an inline namespace, an enum whose constants are named through it, a specialised template, a function that is defined
    /// with the arguments of a specialised class.
    SPECIAL = 17,
    /// C++: a method with `&` behind its parameters, which only objects with a place have.
    ON_PLACE = 16,
    /// C++: a method with `&&` behind its parameters, which only objects without a place have.
    ON_GIVEN = 14,
    /// C#: a member that implements one of an interface, and is seen through the interface alone (`void I.M()`).
    EXPLICIT = 17,
    /// C#: a part of a type that is written in several.
    PARTIAL = 17,
    /// C#: a method that is called on its first parameter like a member.
    EXTENSION = 8,
    /// C#: `override`. It takes the place of an inherited member, and is no overload of its own.
    REPLACES = 11,
    /// Kotlin, Scala: an object, which is a class and its only instance. Scala: also a given with members.
    OBJECT = 17,
    /// Kotlin: the companion object of a class.
    COMPANION = 16,
    /// Kotlin: deprecated in such a way that no source can name it.
    HIDDEN = 11,
    /// Kotlin: a class whose primary constructor is private.
    PRIVATE_CONSTRUCTOR = 13,
    /// Ruby: a method of a module that the module itself has as well.
    MODULE_FUNCTION = 17,
    /// PHP: a function literal that sees the variables around it.
    SEES_AROUND = 17,
    /// Scala: `implicit`, or a given.
    IMPLICIT = 16,
    /// Scala: a case class.
    CASE = 11,
    /// Says that it takes the place of an inherited member: Java `@Override`, TypeScript `override`.
    OVERRIDES = 18,
    /// Python: a class with more bases than `supers` has: keywords (`metaclass=M`) and spread ones.
    MORE_BASES = 19,
    /// Python: in a block for type checkers only (`if TYPE_CHECKING`).
    TYPE_ONLY = 20,
    /// Go: one of several constants or variables that are declared together.
    GROUPED = 21,
    /// Called from outside the source: Java `static void main`, Go `//export` and `//go:linkname`.
    ENTRY = 22,
    /// Rust: written by a macro of the file; its text is in the macro's definition.
    FROM_MACRO = 23,
    /// A function or class expression with a name that only it sees itself. Others know it by the name it is assigned
    /// to, or by the place it is passed to.
    OWN_NAME = 24,
}

/// Relation of a definition to a supertype.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SuperKind {
    /// Inherits members: superclass, extended interface, supertrait.
    Extends,
    /// Promises members: `implements`, `impl Trait for`.
    Implements,
    /// Go embedding, Python metaclass-free mixins are `Extends`.
    Embeds,
    /// Rust `#[derive(Trait)]`: it names a macro, which by convention implements the trait of that name. It counts if
    /// there is such a trait.
    Derives,
}

/// A type parameter with its bounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TypeParam {
    /// Its name.
    pub name: NameId,
    /// Bounds (`extends`, `T: A + B`), including those of a `where` clause.
    pub bounds: Box<[TypeId]>,
    /// The default type.
    pub default: Option<TypeId>,
}

/// Facts that only functions have.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Callable {
    /// Parameters in order, the receiver (`self`, Go receivers) included and marked as such.
    pub params: Vec<Param>,
    /// The written return type. Several results: [`TypeExpr::Tuple`]. `async` functions: as written.
    pub ret: Option<TypeId>,
    /// Returned expressions (and the tail of a Rust block, the body of an expression lambda), at most 8, only if no type is written.
    pub returns: Vec<ExprId>,
    /// Yielded expressions, at most 4.
    pub yields: Vec<ExprId>,
    /// For a function literal that is an argument: the call and the position of the argument. Its parameters take their
    /// types from the callee.
    pub argument_of: Option<(ExprId, u32)>,
    /// Go methods: the name of the receiver's base type, which may be defined in another file of the package. It is part of the
    /// qualified name.
    pub receiver: Option<NameId>,
    /// Scala: the number of parameters in each parameter list. Without a list, the name alone calls.
    pub lists: Box<[u32]>,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Param {
    /// Its name, `_` for a pattern (the pattern's names are bindings of the body scope).
    pub name: NameId,
    /// The written type.
    pub ty: Option<TypeId>,
    /// The default value.
    pub default: Option<ExprId>,
    /// Kind of parameter.
    pub kind: ParamKind,
}

/// Kind of parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ParamKind {
    /// Takes exactly one argument.
    Plain,
    /// Takes one argument or none (has a default, or `x?`).
    Optional,
    /// Takes the rest of the arguments; its type is the element's.
    Variadic,
    /// Python `*, name`: by keyword only.
    KeywordOnly,
    /// Python `**name`.
    Keywords,
    /// `self`, `cls`, a Go receiver: bound by the call, not an argument.
    Receiver,
}

/// Cyclomatic (McCabe 1976) and cognitive (Campbell 2018) complexity, and greatest nesting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Complexity {
    /// Decision points + 1.
    pub cyclomatic: u16,
    /// Breaks in the linear flow, weighted by nesting.
    pub cognitive: u16,
    /// Greatest nesting of control structures.
    pub nesting: u16,
}

/// A lexical scope.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scope {
    /// The enclosing scope; `None` for the file.
    pub parent: Option<ScopeId>,
    /// Kind of scope.
    pub kind: ScopeKind,
    /// The definition that the scope belongs to (function, class, module, impl).
    pub owner: Option<DefId>,
}

/// Kinds of scope. Languages differ in the kinds that a name look-up passes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ScopeKind {
    /// The file.
    File,
    /// A module or namespace inside the file.
    Module,
    /// The members of a class, interface, struct, trait, impl, enum. In Python and in languages
    /// where members need `this.`, look-ups from inner scopes do not see it.
    Class,
    /// Parameters and body of a function.
    Function,
    /// A block.
    Block,
}

/// A name bound in a scope.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Binding {
    /// Scope of the binding.
    pub scope: ScopeId,
    /// The name.
    pub name: NameId,
    /// The namespaces it is bound in.
    pub namespace: Namespace,
    /// First byte from which the name is visible: 0 for hoisted names. If several bindings of a scope have one name, the last
    /// with `from <= use` counts (Rust `let` shadowing, rebinding in Python). Hoisted bindings have 0, and the last of them counts.
    pub from: u32,
    /// Target of the binding.
    pub to: Bound,
}

/// Bit set of namespaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Namespace(pub u8);

impl Namespace {
    /// Values: variables, functions, classes as values.
    pub const VALUE: Namespace = Namespace(1);
    /// Types.
    pub const TYPE: Namespace = Namespace(2);
    /// Rust macros.
    pub const MACRO: Namespace = Namespace(4);
    /// Values and types: classes, imports, modules.
    pub const BOTH: Namespace = Namespace(3);
    /// Everything.
    pub const ALL: Namespace = Namespace(7);

    /// Whether the two share a namespace.
    pub fn intersects(self, other: Namespace) -> bool {
        self.0 & other.0 != 0
    }
}

/// Target of a binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Bound {
    /// A definition of this file.
    Def(DefId),
    /// An import.
    Import(ImportId),
    /// A local variable with the known facts of its type. The written type counts before the value.
    Local {
        /// Written type (or the type a check narrowed it to).
        ty: Option<TypeId>,
        /// The value it is initialised with; destructuring is written out with [`Expr::Member`], [`Expr::Part`] and [`Expr::Element`].
        value: Option<ExprId>,
    },
    /// A parameter of a function, by its number.
    Param(DefId, u32),
    /// A type parameter of a definition, by its number.
    TypeParam(DefId, u32),
    /// One of several, since branches before bind the name differently.
    Either(ChoiceId),
}

/// An expression. Only parts that matter for types and calls are kept; all others are `Unknown`. Parentheses, borrows
/// (`&x`, `*x`) and non-null marks (`x!`) are transparent: they stand for the inner expression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Expr {
    /// Not understood.
    Unknown,
    /// A name, used in `scope` at byte `at`.
    Name {
        /// The name.
        name: NameId,
        /// The innermost scope around the use.
        scope: ScopeId,
        /// Byte of the use.
        at: u32,
    },
    /// `this` or `self` of a class or impl. (If `self` is a named parameter, as in Python and Go, it is an [`Expr::Name`] bound
    /// to a [`ParamKind::Receiver`].)
    This(DefId),
    /// `super`: the parent of that class. Python `super()` gives this, not a call.
    Super(DefId),
    /// `object.name`, `object?.name`, `object->name`, a field of a struct or an exported name of a
    /// module. Also `obj["name"]` with a literal.
    Member {
        /// Expression before the dot.
        object: ExprId,
        /// The member's name.
        name: NameId,
    },
    /// `path::name` in Rust, `Type::name` method references in Java.
    Scoped {
        /// Expression before the colons.
        object: ExprId,
        /// The name.
        name: NameId,
    },
    /// A written type used as an expression: `Vec::<T>::new`, `<T as Trait>::f`, `Foo<Bar>`.
    Type(TypeId),
    /// `callee(args)`.
    Call {
        /// Expression that is called.
        callee: ExprId,
        /// Arguments in order; spread ones and keyword ones are [`Expr::Spread`] and [`Expr::Keyword`].
        args: Box<[ExprId]>,
        /// Explicit type arguments.
        type_args: Box<[TypeId]>,
    },
    /// `new T(args)`, a struct literal `T { … }` (no args), a composite literal `T{…}`.
    New {
        /// The constructed type, as an expression (a name, member, scoped name or type).
        class: ExprId,
        /// Constructor arguments.
        args: Box<[ExprId]>,
        /// Explicit type arguments (`new Map<string, Foo>()`).
        type_args: Box<[TypeId]>,
    },
    /// `...x`, `*x` as an argument.
    Spread(ExprId),
    /// `name=value` as an argument.
    Keyword(NameId, ExprId),
    /// `object[index]`.
    Index {
        /// Expression that is indexed.
        object: ExprId,
        /// The index.
        index: ExprId,
    },
    /// An element of an iteration over it: `for x in e`.
    Element(ExprId),
    /// The key of an iteration over (key, value), as in Go `range`.
    Key(ExprId),
    /// The n-th part of a tuple, of several results, or of an array pattern.
    Part(ExprId, u32),
    /// The n-th payload of an enum variant matched by a pattern: `Some(x)` is `Payload { value, variant: Some, index: 0 }`.
    Payload {
        /// Expression that is matched.
        value: ExprId,
        /// The variant's path.
        variant: ExprId,
        /// Position of the payload.
        index: u32,
    },
    /// The value that `with e as x` binds.
    Enter(ExprId),
    /// A name or member without arguments, where that may call a method (Scala): its value, or the result of the call.
    Bare(ExprId),
    /// `&e` in Rust: a reference to a value. Its type is that of the value.
    Borrowed(ExprId),
    /// `await e`, `e.await`.
    Await(ExprId),
    /// `e?` in Rust; Go has none.
    Try(ExprId),
    /// The result of a macro call, given as the call, if no rule of the language says what it is.
    Expanded(ExprId),
    /// The value that the callee of a call expects as the argument at a position. The call may be the one around it.
    Expected(ExprId, u32),
    /// `e as T`, `(T) e`, `e.(T)`, `cast(T, e)`.
    Cast(ExprId, TypeId),
    /// A value that is not an instance of a type. A union keeps its other parts.
    Without(ExprId, TypeId),
    /// One of several expressions: conditional, `a || b`, `a ?? b`, arms of a match or if.
    Either(Box<[ExprId]>),
    /// A tuple.
    Tuple(Box<[ExprId]>),
    /// A list, array, set or slice literal (also comprehensions: their one element expression).
    List(Box<[ExprId]>),
    /// A dictionary literal by its first key and value.
    Dict(Option<(ExprId, ExprId)>),
    /// An object literal: names and values (methods are [`Expr::Function`]).
    Object(Box<[(NameId, ExprId)]>),
    /// A function literal or class expression: the definition it makes.
    Function(DefId),
    /// A literal of a primitive type.
    Literal(Primitive),
    /// `left op right` if the operand's type is the result's (arithmetic): the left operand. Comparisons and logical negations
    /// are boolean literals instead.
    Operation(ExprId, ExprId),
}

/// Primitive types of literals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Primitive {
    /// A string.
    String,
    /// A whole number.
    Int,
    /// A floating-point number.
    Float,
    /// True or false.
    Bool,
    /// null, None, nil, undefined.
    Null,
    /// Bytes.
    Bytes,
    /// A character.
    Char,
    /// A regular expression literal.
    Regex,
}

/// A written type.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum TypeExpr {
    /// Not understood.
    Unknown,
    /// A name with its path (`a.b.C`, `a::b::C`), looked up in the type namespace of `scope`.
    Named {
        /// Path segments; the first is looked up, the others are members of it.
        path: Box<[NameId]>,
        /// Type arguments of the last segment.
        args: Box<[TypeId]>,
        /// The innermost scope around the use.
        scope: ScopeId,
        /// Byte of the use.
        at: u32,
    },
    /// Primitive of the language (`string`, `int`): never a definition of the repository.
    Primitive(Primitive),
    /// `T[]`, `[]T`, `[T; n]`, `[T]`.
    Array(TypeId),
    /// Go `map[K]V`, TypeScript index signatures.
    Map(TypeId, TypeId),
    /// Go channels.
    Channel(TypeId),
    /// `T | null`, `Optional[T]`, `T?`.
    Optional(TypeId),
    /// One of several types.
    Union(Box<[TypeId]>),
    /// All of several types: `A & B`, `impl A + B`, `dyn A + B`.
    All(Box<[TypeId]>),
    /// A tuple, or several results.
    Tuple(Box<[TypeId]>),
    /// A function type.
    Function {
        /// Parameter types.
        params: Box<[TypeId]>,
        /// Result type.
        ret: Option<TypeId>,
    },
    /// `&T`, `*T`, `Box<T>` is Named.
    Reference(TypeId),
    /// `Self`, `this` as a type, Python `Self`: the class or impl.
    SelfType(DefId),
    /// `typeof e`, `type[C]` is Named.
    TypeOf(ExprId),
    /// A literal object type or anonymous struct, as a definition with members.
    Anonymous(DefId),
    /// `<T as Trait>::Name`, `T[K]` by literal name, Rust associated type `T::Item`.
    Projection(TypeId, NameId),
    /// An argument by name: Rust `Iterator<Item = T>`.
    Binding(NameId, TypeId),
}

/// An import of one name (or of a module, or of everything in it).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Import {
    /// The module specifier as written, without quotes: `./a`, `a.b.c`, `crate::x::y`, `github.com/x/y`.
    /// Rust: the path without its last segment for `Name`, whole for `Glob`; segments joined by `::`.
    /// Python: without the leading dots.
    pub module: NameId,
    /// Imported part of the module.
    pub what: Imported,
    /// The local name, if it binds one.
    pub local: Option<NameId>,
    /// The scope around it.
    pub scope: ScopeId,
    /// The definition around it, if any.
    pub owner: Option<DefId>,
    /// Python: number of leading dots.
    pub level: u32,
    /// Whether it is only for types (`import type`, `if TYPE_CHECKING`).
    pub type_only: bool,
    /// Java: only comments use the name that it binds.
    pub unused: bool,
    /// Visibility of the name for imports from this file (`pub use`, `export … from`); `Private` if there are none.
    pub visibility: Visibility,
    /// Line, from 1.
    pub line: u32,
    /// Rust: the `cfg` predicate under which it exists. Set by `Builder::add_import` of `syntax`. Scala: the first name of
    /// its path, which is looked up like other names.
    pub condition: Option<NameId>,
}

impl Import {
    /// An import at the level of the file. It binds no name, holds under no condition, and other files do not see it.
    pub fn new(module: NameId, what: Imported, line: u32) -> Import {
        Import {
            module,
            what,
            local: None,
            scope: FILE_SCOPE,
            owner: None,
            level: 0,
            type_only: false,
            unused: false,
            visibility: Visibility::Private,
            line,
            condition: None,
        }
    }
}

/// The part of a module that is imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Imported {
    /// The module itself: `import * as x`, `import a.b as c`, Go imports, `const x = require()`.
    Module,
    /// Python `import a.b.c`: binds `a`, makes `a.b.c` reachable through it.
    Root,
    /// A named member.
    Name(NameId),
    /// The default export.
    Default,
    /// Every public name: `from a import *`, `use a::*`, `import a.*`.
    Glob,
    /// The module is loaded and no name is bound: `import "./polyfill"`, Go `_`.
    SideEffect,
    /// Java `import static a.B.name`.
    Static(NameId),
    /// Java `import static a.B.*`.
    StaticGlob,
    /// `import("./x")`, `importlib.import_module("x")` with a literal.
    Dynamic,
}

/// An export of one name (or of everything of another module).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Export {
    /// The exported name; `default` for the default export; `None` for `export *`.
    pub name: Option<NameId>,
    /// Exported item.
    pub what: Exported,
    /// Line, from 1.
    pub line: u32,
}

/// An exported item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exported {
    /// A name of the file's scope.
    Local(NameId),
    /// An expression (`export default f(x)`, `exports.a = e`).
    Expr(ExprId),
    /// `export { a as b } from "m"`, `export * from "m"`, `export * as n from "m"`.
    Import(ImportId),
    /// `module.exports = e`, `export = e`: the module is that value.
    Whole(ExprId),
}

/// A call site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSite {
    /// The [`Expr::Call`] or [`Expr::New`] (a decorator without parentheses: the bare expression).
    pub expr: ExprId,
    /// The innermost named definition around it; `None` at module level.
    pub owner: Option<DefId>,
    /// Line of the called name (for `a.b.c()`, of `c`), from 1.
    pub line: u32,
    /// Column of the called name in bytes, from 0.
    pub column: u32,
    /// Number of arguments, spread ones counted once.
    pub argc: u16,
    /// Kind of call.
    pub kind: CallKind,
}

/// Kind of call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CallKind {
    /// A function or method call.
    Call,
    /// `new T`, a struct or composite literal is `Literal`.
    New,
    /// A struct or composite literal: constructs without a function (a reference, not a call).
    Literal,
    /// A macro call.
    Macro,
    /// A decorator or annotation.
    Decorator,
    /// JSX element: calls the component.
    Jsx,
    /// An operator by its sign, a conversion, a destructor: no call where no class defines it.
    Operator,
}

/// A reference that is not a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefSite {
    /// The referenced value or type.
    pub what: RefTarget,
    /// The innermost named definition around it; `None` at module level.
    pub owner: Option<DefId>,
    /// Line of the name, from 1.
    pub line: u32,
    /// Column in bytes, from 0.
    pub column: u32,
}

/// The value or type that a [`RefSite`] refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RefTarget {
    /// A value: an [`Expr::Name`], [`Expr::Member`] or [`Expr::Scoped`].
    Expr(ExprId),
    /// A type: a [`TypeExpr::Named`].
    Type(TypeId),
}

/// A property of source code that is no name, call or import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Kind of mark.
    pub kind: MarkKind,
    /// For decorators: the decorated definition. `None` for marks of the file.
    pub owner: Option<DefId>,
    /// See [`MarkKind`].
    pub name: Option<NameId>,
    /// See [`MarkKind`].
    pub detail: Option<NameId>,
    /// The line, from 1.
    pub line: u32,
}

/// A place that writes to a name or member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WriteSite {
    /// Target of the write: an [`Expr::Name`], [`Expr::Member`] or [`Expr::Scoped`]. Writes to local variables and parameters are left out.
    pub target: ExprId,
    /// The innermost named definition around it; `None` at module level.
    pub owner: Option<DefId>,
    /// Line of the name, from 1.
    pub line: u32,
    /// Column in bytes, from 0.
    pub column: u32,
}

/// Most bytes of a qualified name: once it is that long, no further name is added.
const MAX_QUALIFIED: usize = 4_000;

impl FileFacts {
    /// The facts of an empty file.
    pub fn empty(language: Language) -> FileFacts {
        FileFacts {
            language,
            lines: 0,
            names: Vec::new(),
            defs: Vec::new(),
            scopes: vec![Scope {
                parent: None,
                kind: ScopeKind::File,
                owner: None,
            }],
            bindings: Vec::new(),
            exprs: Vec::new(),
            types: Vec::new(),
            imports: Vec::new(),
            choices: Vec::new(),
            exports: Vec::new(),
            calls: Vec::new(),
            references: Vec::new(),
            writes: Vec::new(),
            marks: Vec::new(),
            package: None,
            constraint: None,
            syntax_errors: 0,
            parse_gave_up: false,
            unparsed: None,
            too_deep: 0,
            generated: false,
            is_program: false,
            is_blank: false,
        }
    }

    /// Whether a part of the file was not read: its end, or code that is nested too deeply.
    pub fn is_incomplete(&self) -> bool {
        self.parse_gave_up || self.too_deep > 0
    }

    /// The text of a name.
    pub fn name(&self, id: NameId) -> &str {
        self.names.get(id.index()).map_or("", |n| n)
    }

    /// A definition.
    pub fn def(&self, id: DefId) -> &Def {
        &self.defs[id.index()]
    }

    /// An expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// A written type.
    pub fn ty(&self, id: TypeId) -> &TypeExpr {
        &self.types[id.index()]
    }

    /// A scope.
    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.index()]
    }

    /// An import.
    pub fn import(&self, id: ImportId) -> &Import {
        &self.imports[id.index()]
    }

    /// What a name is one of.
    pub fn choice(&self, id: ChoiceId) -> &[Bound] {
        &self.choices[id.index()]
    }

    /// Bindings of `scope`, in order of appearance.
    pub fn bindings_in_scope(&self, scope: ScopeId) -> &[Binding] {
        let from = self.bindings.partition_point(|b| b.scope < scope);
        let to = self.bindings.partition_point(|b| b.scope <= scope);
        &self.bindings[from..to]
    }

    /// The last name of a called expression: `text` of `c.text()`, `A` of `new m.A()`; `None` if it has none.
    pub fn called_name(&self, expr: ExprId) -> Option<NameId> {
        let mut next = expr;
        // An expression refers only to earlier ones, so the loop ends.
        for _ in 0..self.exprs.len() {
            next = match self.expr(next) {
                Expr::Call { callee, .. } => *callee,
                Expr::New { class, .. } => *class,
                Expr::Bare(inner) => *inner,
                Expr::Borrowed(inner) => *inner,
                Expr::Name { name, .. } | Expr::Member { name, .. } | Expr::Scoped { name, .. } => {
                    return Some(*name);
                }
                _ => return None,
            };
        }
        None
    }

    /// The dotted path of a definition within its file: `Class.method`. Anonymous parents and
    /// `impl` blocks count by their written name; anonymous functions are left out. Go methods
    /// start with the name of their receiver's type.
    pub fn qualified_name(&self, id: DefId) -> String {
        let mut parts = Vec::new();
        let mut next = Some(id);
        // Deep nesting with long names is cut: the innermost names are kept.
        let mut left = MAX_QUALIFIED;
        while let Some(id) = next.filter(|_| left > 0) {
            let def = self.def(id);
            left = left.saturating_sub(self.name(def.name).len() + 1);
            if !def.flags.has(DefFlags::ANONYMOUS) {
                parts.push(self.name(def.name));
            }
            if let Some(receiver) = def.callable.as_ref().and_then(|c| c.receiver) {
                parts.push(self.name(receiver));
            }
            next = def.parent;
        }
        parts.reverse();
        parts.join(".")
    }

    /// The innermost definition at or around `id` that makes a node (is neither anonymous nor an `impl` block).
    pub fn enclosing_node_def(&self, id: Option<DefId>) -> Option<DefId> {
        let mut next = id;
        while let Some(id) = next {
            let def = self.def(id);
            if !def.flags.has(DefFlags::ANONYMOUS) && def.kind != SymbolKind::Impl {
                return Some(id);
            }
            next = def.parent;
        }
        None
    }
}
