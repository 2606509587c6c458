//! Chooses among definitions of one name: by argument labels, then by the types of arguments.

use super::Swift;
use super::fit::Fit;
use super::platform;
use super::tables::drop_left_out;
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::{FileId, GlobalDef, Repo};
use linker::ty::*;

/// Most candidates whose arguments are compared.
const MOST_CANDIDATES: usize = 120;

/// A definition that a call may mean.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) def: GlobalDef,
    /// The object that it is taken from.
    pub(super) owner: Option<Ty>,
    /// The nearest level counts first.
    pub(super) level: u32,
}

/// A candidate whose labels fit.
struct Form {
    candidate: Candidate,
    /// The parameter of each argument.
    targets: Vec<usize>,
    /// How well each argument fits.
    fits: Vec<Fit>,
    /// Parameters that take their default values.
    defaults: usize,
    is_generic: bool,
    is_variadic: bool,
}

impl Swift {
    /// The candidates that a call means: one, or several that nothing tells apart.
    pub(super) fn select(
        &self,
        ev: &mut Eval<'_>,
        mut candidates: Vec<Candidate>,
        view: CallView<'_>,
    ) -> Vec<Candidate> {
        let all: Vec<GlobalDef> = candidates.iter().map(|c| c.def).collect();
        let mut built = all.clone();
        drop_left_out(ev.repo, &mut built);
        candidates.retain(|c| built.contains(&c.def));
        if candidates.len() > MOST_CANDIDATES || !ev.spend(candidates.len() * view.args.len()) {
            return Vec::new();
        }
        let mut forms: Vec<Form> = Vec::new();
        for candidate in candidates {
            forms.extend(self.form(ev, candidate, view));
        }
        let waiting = waiting(ev.repo, view);
        let is_async =
            |form: &Form, ev: &Eval<'_>| ev.repo.def(form.candidate.def).flags.has(DefFlags::ASYNC);
        if waiting == Waiting::No {
            forms.retain(|form| !is_async(form, ev));
        }
        if forms.len() > 1 {
            for form in &mut forms {
                form.fits = self.fits(ev, form, view);
            }
            let fits = |form: &Form| !form.fits.contains(&Fit::No);
            if forms.iter().any(fits) {
                forms.retain(fits);
            }
        }
        // What is awaited last is asynchronous, if there is such a function.
        let wanted = waiting == Waiting::Last;
        if forms.iter().any(|form| is_async(form, ev) == wanted) {
            forms.retain(|form| is_async(form, ev) == wanted);
        }
        if let Some(nearest) = forms.iter().map(|f| f.candidate.level).min() {
            forms.retain(|form| form.candidate.level == nearest);
        }
        self.best(ev, forms)
    }

    /// Whether the types of arguments certainly do not fit a definition.
    pub(super) fn rejects(
        &self,
        ev: &mut Eval<'_>,
        candidate: &Candidate,
        view: CallView<'_>,
    ) -> bool {
        match self.form(ev, candidate.clone(), view) {
            Some(form) => self.fits(ev, &form, view).contains(&Fit::No),
            None => true,
        }
    }

    fn form(&self, ev: &mut Eval<'_>, candidate: Candidate, view: CallView<'_>) -> Option<Form> {
        let def = ev.repo.def(candidate.def);
        let callable = def.callable.as_deref()?;
        let is_operator = ev
            .repo
            .facts(view.file)
            .called_name(view.expr)
            .is_some_and(|name| is_operator(ev.repo.facts(view.file).name(name)));
        let targets = if is_operator {
            (callable.params.len() == view.args.len()).then(|| (0..view.args.len()).collect())
        } else {
            self.targets(ev, candidate.def, view)
        };
        let targets: Vec<usize> = targets?;
        let unused = (0..callable.params.len()).filter(|n| !targets.contains(n));
        Some(Form {
            defaults: unused.count(),
            is_generic: !def.type_params.is_empty(),
            is_variadic: callable
                .params
                .iter()
                .any(|p| p.kind == ParamKind::Variadic),
            candidate,
            targets,
            fits: Vec::new(),
        })
    }

    /// The parameter for each argument; `None` if the labels do not fit.
    pub(super) fn targets(
        &self,
        ev: &mut Eval<'_>,
        function: GlobalDef,
        view: CallView<'_>,
    ) -> Option<Vec<usize>> {
        let repo = ev.repo;
        let callable = repo.def(function).callable.as_deref()?;
        let params = &callable.params;
        let mut out = Vec::with_capacity(view.args.len());
        let mut next = 0;
        let mut is_rest = false;
        for arg in view.args {
            let label = label_of_argument(repo, view.file, *arg);
            match label {
                None => {
                    if is_rest && next > 0 {
                        // One more value of a variadic parameter.
                        out.push(next - 1);
                        continue;
                    }
                    let at = (next..params.len())
                        .take_while(|n| *n == next || may_lack(&params[*n - 1]))
                        .find(|n| label_of(repo, function.file, &params[*n]) == "_")?;
                    is_rest = params[at].kind == ParamKind::Variadic;
                    next = at + 1;
                    out.push(at);
                }
                Some(label) if label == super::TRAILING => {
                    let mut reach: Vec<usize> = (next..params.len())
                        .take_while(|n| *n == next || may_lack(&params[*n - 1]))
                        .collect();
                    reach.retain(|n| self.takes_function(ev, function, *n) > Fit::No);
                    // A type that is not known may be that of a function, if no other is.
                    let certain = reach
                        .iter()
                        .find(|n| self.takes_function(ev, function, **n) > Fit::Maybe);
                    let at = *certain.or(reach.first())?;
                    is_rest = false;
                    next = at + 1;
                    out.push(at);
                }
                Some(label) => {
                    let at = (next..params.len())
                        .take_while(|n| *n == next || may_lack(&params[*n - 1]))
                        .find(|n| label_of(repo, function.file, &params[*n]) == label)?;
                    is_rest = params[at].kind == ParamKind::Variadic;
                    next = at + 1;
                    out.push(at);
                }
            }
        }
        let lacks = params
            .iter()
            .enumerate()
            .skip(next)
            .any(|(_, p)| !may_lack(p));
        (!lacks).then_some(out)
    }

    /// Whether a parameter takes a closure.
    fn takes_function(&self, ev: &mut Eval<'_>, function: GlobalDef, n: usize) -> Fit {
        let callable = ev.repo.def(function).callable.as_deref();
        let Some(ty) = callable.and_then(|c| c.params.get(n)).and_then(|p| p.ty) else {
            return Fit::Maybe;
        };
        let ty = ev.lower_type(function.file, ty);
        match platform::unwrapped(&ty) {
            Ty::Callable(..) => Fit::Exact,
            Ty::Unknown | Ty::Param(..) => Fit::Maybe,
            Ty::Instance(def, _) if ev.repo.def(def).kind == SymbolKind::TypeAlias => Fit::Maybe,
            Ty::ExternalInstance(external, _) if !platform::is_known(&external.symbol) => {
                Fit::Maybe
            }
            _ => Fit::No,
        }
    }

    fn fits(&self, ev: &mut Eval<'_>, form: &Form, view: CallView<'_>) -> Vec<Fit> {
        let mut out = Vec::with_capacity(view.args.len());
        for (arg, target) in view.args.iter().zip(&form.targets) {
            let wanted = self.param_type(ev, form.candidate.def, *target);
            let wanted = match &form.candidate.owner {
                Some(owner) => self.seen_from(ev, &wanted, form.candidate.def, owner),
                None => wanted,
            };
            out.push(self.argument_fit(ev, (view.file, *arg), &wanted));
        }
        out
    }

    /// The type of a parameter; of a variadic one, that of one value.
    fn param_type(&self, ev: &mut Eval<'_>, function: GlobalDef, n: usize) -> Ty {
        let callable = ev.repo.def(function).callable.as_deref();
        let ty = callable.and_then(|c| c.params.get(n)).and_then(|p| p.ty);
        ty.map(|ty| ev.lower_type(function.file, ty))
            .unwrap_or_default()
    }

    fn argument_fit(&self, ev: &mut Eval<'_>, (file, arg): (FileId, ExprId), to: &Ty) -> Fit {
        let value = value_of(ev.repo, file, arg);
        match ev.repo.facts(file).expr(value) {
            Expr::Function(def) => {
                let def = GlobalDef { file, def: *def };
                return self.closure_fit(ev, def, to);
            }
            Expr::Member { object, .. } | Expr::Call { callee: object, .. }
                if is_implied(ev.repo, file, *object) =>
            {
                return self.implied_fit(ev, (file, value), to);
            }
            _ => {}
        }
        if let Some(fit) = self.literal_fit(ev, (file, value), to) {
            return fit;
        }
        let given = ev.type_of_expr(file, value);
        self.fit(ev, &given, to)
    }

    /// Whether a type may have the member of `.name`.
    fn implied_fit(&self, ev: &mut Eval<'_>, (file, expr): (FileId, ExprId), to: &Ty) -> Fit {
        let facts = ev.repo.facts(file);
        let Some(name) = facts.called_name(expr) else {
            return Fit::Maybe;
        };
        let name = facts.name(name);
        let inner = platform::unwrapped(to);
        match &inner {
            Ty::Instance(def, args) => {
                let class = Ty::Class(*def, args.clone());
                match self.find_members(ev, &class, name) {
                    Some(_) => Fit::Converted,
                    None if name == "init" => Fit::Maybe,
                    None => {
                        let class = self.tables.whole(*def);
                        let mut outside = self.tables.ancestry.external_supertypes(class);
                        if outside.next().is_some() {
                            Fit::Maybe
                        } else {
                            Fit::No
                        }
                    }
                }
            }
            Ty::Callable(..) | Ty::Tuple(_) => Fit::No,
            _ => Fit::Maybe,
        }
    }

    /// The form that is better than all others; all that may fit if there is none.
    fn best(&self, ev: &mut Eval<'_>, mut forms: Vec<Form>) -> Vec<Candidate> {
        if forms.len() > 1 {
            let better: Vec<usize> = (0..forms.len())
                .filter(|one| {
                    (0..forms.len()).all(|other| {
                        *one == other || self.is_better(ev, &forms[*one], &forms[other])
                    })
                })
                .collect();
            if let Some(first) = better.first() {
                return vec![forms.swap_remove(*first).candidate];
            }
        }
        forms.into_iter().map(|form| form.candidate).collect()
    }

    /// Whether no argument fits one form worse than another, and a rule prefers it.
    fn is_better(&self, ev: &mut Eval<'_>, one: &Form, other: &Form) -> bool {
        let pairs = one.fits.iter().zip(&other.fits);
        let mut wins = false;
        for (a, b) in pairs {
            if a < b {
                return false;
            }
            wins |= a > b;
        }
        if wins {
            return true;
        }
        if let Some(is_nearer) = self.is_more_specific(ev, one, other) {
            return is_nearer;
        }
        if one.is_generic != other.is_generic {
            return !one.is_generic;
        }
        let is_constrained = |form: &Form, ev: &Eval<'_>| {
            let repo = ev.repo;
            let parent = repo.def(form.candidate.def).parent.map(|def| GlobalDef {
                file: form.candidate.def.file,
                def,
            });
            parent.is_some_and(|p| {
                let ty = repo.def(p).ty;
                matches!(ty.map(|ty| repo.facts(p.file).ty(ty)), Some(TypeExpr::Named { args, .. }) if !args.is_empty())
            })
        };
        let (a, b) = (is_constrained(one, ev), is_constrained(other, ev));
        if a != b {
            return a;
        }
        if one.is_variadic != other.is_variadic {
            return !one.is_variadic;
        }
        one.defaults < other.defaults
    }

    /// Whether the parameters of one form are narrower than those of another; `None` if neither are.
    fn is_more_specific(&self, ev: &mut Eval<'_>, one: &Form, other: &Form) -> Option<bool> {
        let (mut there, mut back) = (true, true);
        let mut are_equal = true;
        for (a, b) in one.targets.iter().zip(&other.targets) {
            let a = self.param_type(ev, one.candidate.def, *a);
            let b = self.param_type(ev, other.candidate.def, *b);
            if a == b || a.is_unknown() || b.is_unknown() {
                continue;
            }
            are_equal = false;
            there &= self.fit(ev, &a, &b) >= Fit::Converted;
            back &= self.fit(ev, &b, &a) >= Fit::Converted;
        }
        match (are_equal, there, back) {
            (false, true, false) => Some(true),
            (false, false, true) => Some(false),
            _ => None,
        }
    }
}

/// Whether `await` stands before a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waiting {
    No,
    /// Before a chain that goes on behind the call.
    Inside,
    Last,
}

fn waiting(repo: &Repo, view: CallView<'_>) -> Waiting {
    let facts = repo.facts(view.file);
    let Expr::Call { callee, .. } = facts.expr(view.expr) else {
        return Waiting::No;
    };
    match facts.expr(*callee) {
        Expr::Borrowed(inner) => match facts.expr(*inner) {
            Expr::Borrowed(_) => Waiting::Last,
            _ => Waiting::Inside,
        },
        _ => Waiting::No,
    }
}

/// The callee of a call without the marks of `await`.
pub(super) fn plain_callee(facts: &FileFacts, callee: ExprId) -> ExprId {
    let mut callee = callee;
    for _ in 0..2 {
        if let Expr::Borrowed(inner) = facts.expr(callee) {
            callee = *inner;
        }
    }
    callee
}

/// Whether a call may leave a parameter out.
fn may_lack(param: &Param) -> bool {
    matches!(param.kind, ParamKind::Optional | ParamKind::Variadic)
}

/// The argument label of a parameter; `_` if it has none.
pub(super) fn label_of<'r>(repo: &'r Repo, file: FileId, param: &Param) -> &'r str {
    let facts = repo.facts(file);
    match param.ty.map(|ty| facts.ty(ty)) {
        Some(TypeExpr::Binding(label, _)) => facts.name(*label),
        _ => facts.name(param.name),
    }
}

/// The label of an argument.
pub(super) fn label_of_argument(repo: &Repo, file: FileId, arg: ExprId) -> Option<&str> {
    let facts = repo.facts(file);
    match facts.expr(arg) {
        Expr::Keyword(label, _) => Some(facts.name(*label)),
        _ => None,
    }
}

/// The value of an argument, without its label.
pub(super) fn value_of(repo: &Repo, file: FileId, arg: ExprId) -> ExprId {
    match repo.facts(file).expr(arg) {
        Expr::Keyword(_, value) => *value,
        _ => arg,
    }
}

/// Whether an expression is the type before the dot of `.name`, or a member of it.
fn is_implied(repo: &Repo, file: FileId, expr: ExprId) -> bool {
    let facts = repo.facts(file);
    let is_type_of = |expr: ExprId| match facts.expr(expr) {
        Expr::Type(ty) => matches!(facts.ty(*ty), TypeExpr::TypeOf(_)),
        _ => false,
    };
    let expr = plain_callee(facts, expr);
    match facts.expr(expr) {
        Expr::Member { object, .. } => is_type_of(*object),
        _ => is_type_of(expr),
    }
}

/// Whether a name is that of an operator.
pub(super) fn is_operator(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '`' | '<'))
        || name.starts_with('<') && name != "<anonymous>"
}
