//! Written types, parsed from their text: annotations, string annotations and bases.

use super::Walker;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

const MAX_TYPE_DEPTH: u32 = 60;

/// Parses one type from text.
struct TypeReader<'s> {
    source: &'s str,
    at: usize,
    end: usize,
    depth: u32,
    scope: ScopeId,
    /// The scope in which type variables are bound.
    typevar_scope: ScopeId,
    /// Start of the node that contains it, for lines and columns.
    row: u32,
    column: u32,
    start: usize,
}

impl<'s> Walker<'_, 's> {
    /// The type that a node writes, in the current scope.
    pub(super) fn lower_annotation(&mut self, node: Node<'_>) -> Option<TypeId> {
        let scope = self.b.current_scope();
        self.lower_annotation_in(node, scope, None)
    }

    /// The type that a node writes. Type variables of the signature are looked up in `typevars`.
    pub(super) fn lower_annotation_in(
        &mut self,
        node: Node<'_>,
        scope: ScopeId,
        typevars: Option<ScopeId>,
    ) -> Option<TypeId> {
        let text = self.b.text(node);
        if text.contains('(') {
            // Reads calls as in `Annotated[T, f()]`; the names are recorded as types below.
            self.without_references(|w| w.walk_annotation(node));
        }
        let position = node.start_position();
        let mut reader = TypeReader {
            source: self.b.source,
            at: node.start_byte(),
            end: node.end_byte(),
            depth: 0,
            scope,
            typevar_scope: typevars.unwrap_or(scope),
            row: position.row as u32 + 1,
            column: position.column as u32,
            start: node.start_byte(),
        };
        let ty = self.read_type(&mut reader);
        match self.b.facts().ty(ty) {
            TypeExpr::Unknown => None,
            _ => Some(ty),
        }
    }

    fn walk_annotation(&mut self, node: Node<'_>) {
        if !self.b.enter_level() {
            return;
        }
        match node.kind_name() {
            "type" | "generic_type" | "type_parameter" | "union_type" | "member_type"
            | "constrained_type" => {
                for child in super::children(node) {
                    self.walk_annotation(child);
                }
            }
            _ => {
                self.expr(node);
            }
        }
        self.b.leave_level();
    }

    /// The type of instances of a class given as an expression (`isinstance`'s second argument, `except`): a class or a
    /// tuple of classes. It records no references, since the expression does.
    pub(super) fn type_of_class_expr(&mut self, node: Node<'_>) -> Option<TypeId> {
        match node.kind_name() {
            "identifier" | "attribute" | "binary_operator" | "dotted_name" => {
                self.without_references(|w| w.lower_annotation(node))
            }
            "tuple" => {
                let mut types = Vec::new();
                for child in super::children(node) {
                    types.push(self.type_of_class_expr(child)?);
                }
                Some(self.b.add_type(TypeExpr::Union(types.into())))
            }
            "parenthesized_expression" => self.type_of_class_expr(node.named_child(0)?),
            _ => None,
        }
    }

    /// Runs `f` without recording references.
    pub(super) fn without_references<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.mute, true);
        let value = f(self);
        self.mute = before;
        value
    }

    /// `a | b | c`.
    fn read_type(&mut self, r: &mut TypeReader<'s>) -> TypeId {
        if r.depth >= MAX_TYPE_DEPTH {
            r.at = r.end;
            return self.b.add_type(TypeExpr::Unknown);
        }
        r.depth += 1;
        let first = self.read_single(r);
        let mut parts = vec![first];
        while r.eat(b'|') {
            parts.push(self.read_single(r));
        }
        r.depth -= 1;
        self.union(parts)
    }

    fn union(&mut self, parts: Vec<TypeId>) -> TypeId {
        if parts.len() < 2 {
            return match parts.first() {
                Some(one) => *one,
                None => self.b.add_type(TypeExpr::Unknown),
            };
        }
        let all = parts.len();
        let null = TypeExpr::Primitive(Primitive::Null);
        let rest: Vec<TypeId> = parts
            .into_iter()
            .filter(|p| *self.b.facts().ty(*p) != null)
            .collect();
        let optional = rest.len() < all;
        let inner = match rest.as_slice() {
            [one] => *one,
            _ => self.b.add_type(TypeExpr::Union(rest.into())),
        };
        if optional {
            self.b.add_type(TypeExpr::Optional(inner))
        } else {
            inner
        }
    }

    fn read_single(&mut self, r: &mut TypeReader<'s>) -> TypeId {
        r.skip_space();
        match r.peek() {
            Some(b'(') => {
                let parts = self.read_list(r, b')');
                match parts.as_slice() {
                    [one] => *one,
                    _ => self.b.add_type(TypeExpr::Tuple(parts.into())),
                }
            }
            Some(b'[') => {
                let parts = self.read_list(r, b']');
                self.b.add_type(TypeExpr::Tuple(parts.into()))
            }
            Some(b'"' | b'\'') => self.read_string(r),
            Some(b'*') => {
                while r.eat(b'*') {}
                self.read_single(r)
            }
            Some(c) if c == b'_' || c.is_ascii_alphabetic() || !c.is_ascii() => self.read_named(r),
            _ => {
                r.skip_to_separator();
                self.b.add_type(TypeExpr::Unknown)
            }
        }
    }

    /// The contents of brackets, including the closing one.
    fn read_list(&mut self, r: &mut TypeReader<'s>, close: u8) -> Vec<TypeId> {
        let mut parts = Vec::new();
        r.at += 1;
        loop {
            r.skip_space();
            match r.peek() {
                None => return parts,
                Some(c) if c == close => {
                    r.at += 1;
                    return parts;
                }
                Some(b',') => r.at += 1,
                Some(_) => {
                    let before = r.at;
                    parts.push(self.read_type(r));
                    if r.at == before {
                        r.at += 1;
                    }
                }
            }
        }
    }

    fn read_string(&mut self, r: &mut TypeReader<'s>) -> TypeId {
        let rest = &r.source[r.at..r.end];
        let quote = match rest.get(..3) {
            Some(triple @ ("\"\"\"" | "'''")) => triple,
            _ => &rest[..1],
        };
        let start = r.at + quote.len();
        let length = r.source[start..r.end].find(quote);
        let stop = length.map_or(r.end, |l| start + l);
        let (after, end) = ((stop + quote.len()).min(r.end), r.end);
        r.at = start;
        r.end = stop;
        let ty = self.read_type(r);
        r.at = after;
        r.end = end;
        ty
    }

    fn read_named(&mut self, r: &mut TypeReader<'s>) -> TypeId {
        let mut path = Vec::new();
        let first_at = r.at;
        let mut last_at;
        loop {
            last_at = r.at;
            let word = r.take_word();
            if word.is_empty() {
                break;
            }
            if matches!(r.peek(), Some(b'"' | b'\'')) && path.is_empty() && word.len() <= 2 {
                return self.read_string(r);
            }
            path.push(word);
            r.skip_space();
            if r.peek() != Some(b'.') || r.source[r.at..r.end].starts_with("...") {
                break;
            }
            r.at += 1;
            r.skip_space();
        }
        let last = path.last().copied().unwrap_or("");
        let typing = path.len() == 1
            || matches!(path[0], "typing" | "t" | "te" | "typing_extensions" | "tp");
        if r.peek() == Some(b'(') {
            // A call does not determine a type.
            r.skip_to_separator();
            return self.b.add_type(TypeExpr::Unknown);
        }
        let literal = typing && last == "Literal";
        let args = match r.peek() {
            Some(b'[') if literal || (typing && last == "Annotated") => {
                self.read_first_argument(r, literal)
            }
            Some(b'[') => self.read_list(r, b']'),
            _ => Vec::new(),
        };
        // A plain `Text` is more often a class of the project than `typing.Text`; its import then decides.
        let may_be_own = path == ["Text"];
        if typing
            && !may_be_own
            && let Some(ty) = self.special_form(last, &args)
        {
            return ty;
        }
        self.named(r, &path, args, first_at, last_at)
    }

    /// The first type between brackets; the others are values.
    fn read_first_argument(&mut self, r: &mut TypeReader<'s>, literal: bool) -> Vec<TypeId> {
        let open = r.at;
        r.at += 1;
        let args = if literal {
            Vec::new()
        } else {
            vec![self.read_type(r)]
        };
        r.at = open;
        r.skip_brackets();
        args
    }

    /// Special forms and primitives.
    fn special_form(&mut self, name: &str, args: &[TypeId]) -> Option<TypeId> {
        let primitive = match name {
            "None" => Some(Primitive::Null),
            "str" | "LiteralString" | "Text" => Some(Primitive::String),
            "int" => Some(Primitive::Int),
            "float" => Some(Primitive::Float),
            "bool" => Some(Primitive::Bool),
            "bytes" => Some(Primitive::Bytes),
            "Literal" => return Some(self.b.add_type(TypeExpr::Unknown)),
            _ => None,
        };
        if let Some(primitive) = primitive {
            return Some(self.b.add_type(TypeExpr::Primitive(primitive)));
        }
        let ty = match (name, args) {
            ("Optional", [one]) => TypeExpr::Optional(*one),
            ("Union", [_, ..]) => return Some(self.union(args.to_vec())),
            (
                "Annotated" | "ClassVar" | "Final" | "Required" | "NotRequired" | "ReadOnly"
                | "InitVar" | "Unpack",
                [one, ..],
            ) => return Some(*one),
            // `tuple[T, ...]`: any number of elements.
            ("Tuple" | "tuple", [one, rest]) if *self.b.facts().ty(*rest) == TypeExpr::Unknown => {
                TypeExpr::Array(*one)
            }
            ("Tuple" | "tuple", [_, ..]) => TypeExpr::Tuple(args.into()),
            ("Callable", [params, ret]) => {
                let params = match self.b.facts().ty(*params) {
                    TypeExpr::Tuple(params) => params.clone(),
                    _ => Box::default(),
                };
                TypeExpr::Function {
                    params,
                    ret: Some(*ret),
                }
            }
            ("Self", []) => {
                let class = self.enclosing_class()?;
                TypeExpr::SelfType(class)
            }
            _ => return None,
        };
        Some(self.b.add_type(ty))
    }

    /// The innermost enclosing class.
    pub(super) fn enclosing_class(&self) -> Option<DefId> {
        self.frames
            .iter()
            .rev()
            .find(|f| f.kind == super::FrameKind::Class)
            .and_then(|f| f.def)
    }

    fn named(
        &mut self,
        r: &TypeReader<'s>,
        path: &[&'s str],
        args: Vec<TypeId>,
        first_at: usize,
        last_at: usize,
    ) -> TypeId {
        let names: Box<[NameId]> = path.iter().map(|p| self.b.intern_name(p)).collect();
        let mut scope = r.scope;
        if let [name] = *names
            && self.typevars.contains_key(&name)
        {
            scope = r.typevar_scope;
            let outer = self.class_typevars.iter().any(|c| c.contains(&name));
            if !outer {
                let next = self.met_typevars.len();
                self.met_typevars.entry(name).or_insert(next);
            }
        }
        let ty = self.b.add_type(TypeExpr::Named {
            path: names,
            args: args.into(),
            scope,
            at: first_at as u32,
        });
        if !self.mute {
            let owner = self.b.facts().enclosing_node_def(self.b.current_owner());
            let (line, column) = r.line_and_column(last_at);
            self.b.facts_mut().references.push(RefSite {
                what: RefTarget::Type(ty),
                owner,
                line,
                column,
            });
        }
        ty
    }
}

impl<'s> TypeReader<'s> {
    fn peek(&self) -> Option<u8> {
        if self.at < self.end {
            self.source.as_bytes().get(self.at).copied()
        } else {
            None
        }
    }

    fn skip_space(&mut self) {
        while let Some(c) = self.peek() {
            match c {
                b' ' | b'\t' | b'\n' | b'\r' | b'\\' => self.at += 1,
                b'#' => {
                    while self.peek().is_some_and(|c| c != b'\n') {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    fn eat(&mut self, wanted: u8) -> bool {
        self.skip_space();
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn take_word(&mut self) -> &'s str {
        let start = self.at;
        while self
            .peek()
            .is_some_and(|c| c == b'_' || c.is_ascii_alphanumeric() || !c.is_ascii())
        {
            self.at += 1;
        }
        self.source.get(start..self.at).unwrap_or("")
    }

    /// Skips to a comma or closing bracket of this level.
    fn skip_to_separator(&mut self) {
        while let Some(c) = self.peek() {
            match c {
                b',' | b']' | b')' | b'|' => return,
                b'[' | b'(' | b'{' => self.skip_brackets(),
                _ => self.at += 1,
            }
        }
    }

    /// Skips a pair of brackets with its contents.
    fn skip_brackets(&mut self) {
        let mut open = 0u32;
        while let Some(c) = self.peek() {
            self.at += 1;
            match c {
                b'[' | b'(' | b'{' => open += 1,
                b']' | b')' | b'}' => {
                    open = open.saturating_sub(1);
                    if open == 0 {
                        return;
                    }
                }
                b'"' | b'\'' => {
                    while self.peek().is_some_and(|s| s != c) {
                        self.at += 1;
                    }
                    self.at += 1;
                }
                _ => {}
            }
        }
        self.at = self.at.min(self.end);
    }

    /// Line and column of a byte.
    fn line_and_column(&self, at: usize) -> (u32, u32) {
        let before = &self.source[self.start..at];
        match before.rfind('\n') {
            Some(newline) => (
                self.row + before.matches('\n').count() as u32,
                (before.len() - newline - 1) as u32,
            ),
            None => (self.row, self.column + before.len() as u32),
        }
    }
}
