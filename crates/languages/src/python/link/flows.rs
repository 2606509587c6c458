//! Functions that are passed as arguments, to resolve calls of parameters.
//!
//! A call counts if its callee is known and the argument is a function or class by name, or another such parameter.
//! Functions passed in other ways are unknown, so the answer may be incomplete, but it is never a guess.

use base::facts::*;
use base::{Language, SymbolKind};
use linker::call::LinkOutcome;
use linker::eval::Eval;
use linker::lang::Langs;
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use linker::ty::Ty;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Longest chain of parameters that are passed on as arguments.
const MAX_CHAIN: usize = 8;

/// Most functions and classes that are kept for one parameter; far fewer make its call ambiguous.
const MAX_PASSED: usize = 256;

/// Longest chain of names that stand for one another.
const MAX_ALIASES: usize = 4;

/// A parameter of a function.
type Param = (GlobalDef, u32);

/// The functions and classes passed for parameters.
#[derive(Debug, Default)]
pub(super) struct PassedFunctions {
    passed: FxHashMap<Param, Vec<Ty>>,
    wanted: TrackedParams,
    /// The relevant calls of each file, if it has any.
    param_calls: FxHashMap<FileId, Vec<ParamCall>>,
    found: FxHashMap<FileId, Vec<(Param, Argument)>>,
}

/// Facts of one call that concern called parameters.
#[derive(Debug, Clone, PartialEq)]
struct ParamCall {
    /// The parameter that is called.
    called: Option<Param>,
    /// The last name of the callee.
    name: Option<Sym>,
    /// Parameters among the arguments.
    passed_on: Vec<Param>,
}

/// The kind of an argument.
#[derive(Debug, Clone, PartialEq)]
enum Argument {
    Value(Ty),
    /// A parameter of the enclosing function.
    Param(Param),
}

/// Parameters that are tracked, and the names of the functions that have them.
#[derive(Debug, Default, Clone)]
struct TrackedParams {
    params: FxHashSet<Param>,
    names: FxHashSet<Sym>,
}

impl PassedFunctions {
    /// The types passed for a parameter.
    pub(super) fn types_passed_to(&self, param: Param) -> &[Ty] {
        self.passed.get(&param).map_or(&[], Vec::as_slice)
    }

    /// Reads every call that may pass a function for a called parameter. With `before`, only the calls of parameters,
    /// whose callees are known from it.
    pub(super) fn new(
        repo: &Repo,
        langs: &Langs,
        before: Option<&PassedFunctions>,
    ) -> PassedFunctions {
        let files: Vec<FileId> = repo
            .files()
            .filter(|(_, f)| f.facts.language == Language::Python)
            .map(|(id, _)| id)
            .collect();
        let mut flows = match before {
            // If nothing was passed for parameters, their calls pass nothing more.
            Some(before) if before.passed.is_empty() => return PassedFunctions::default(),
            Some(before) => PassedFunctions {
                passed: before.passed.clone(),
                wanted: before.wanted.clone(),
                ..PassedFunctions::default()
            },
            None => {
                let asks = files
                    .iter()
                    .map(|file| (*file, collect_param_calls(repo, *file)));
                let asks = asks.filter(|(_, asks)| !asks.is_empty()).collect();
                PassedFunctions {
                    wanted: TrackedParams::new(repo, &files, &asks),
                    param_calls: asks,
                    ..PassedFunctions::default()
                }
            }
        };
        if flows.wanted.params.is_empty() {
            return flows;
        }
        let wanted = &flows.wanted;
        let of_file =
            |file: &FileId| collect_arguments(repo, langs, *file, wanted, before.is_some());
        // Threads have deep stacks only in a pool that was entered on purpose.
        let found: Vec<Vec<(Param, Argument)>> = match rayon::current_thread_index() {
            Some(_) => files.par_iter().map(of_file).collect(),
            None => files.iter().map(of_file).collect(),
        };
        let mut chains = Vec::new();
        for (param, argument) in found.iter().flatten() {
            match argument {
                Argument::Value(ty) => {
                    flows.add_passed(*param, ty.clone());
                }
                Argument::Param(from) => chains.push((*from, *param)),
            }
        }
        let found = files.into_iter().zip(found);
        flows.found = found.filter(|(_, found)| !found.is_empty()).collect();
        for _ in 0..MAX_CHAIN {
            let mut more = false;
            for (from, to) in &chains {
                for ty in flows.types_passed_to(*from).to_vec() {
                    more |= flows.add_passed(*to, ty);
                }
            }
            if !more {
                break;
            }
        }
        flows
    }

    /// Whether the facts of a file are the same as before.
    pub(super) fn is_unchanged_for(
        &self,
        repo: &Repo,
        langs: &Langs,
        file: FileId,
        of_params: bool,
    ) -> bool {
        let same_asks = of_params
            || self.param_calls.get(&file).map_or(&[][..], |a| a)
                == collect_param_calls(repo, file);
        if !same_asks || self.wanted.params.is_empty() {
            return same_asks;
        }
        let found = collect_arguments(repo, langs, file, &self.wanted, of_params);
        self.found.get(&file).map_or(&[][..], |f| f) == found
    }

    /// Whether any of it refers to definitions of a file that moved.
    pub(super) fn depends_on_moved(&self, file: FileId, moved: &IndexRemap) -> bool {
        let gone = |(def, _): &Param| def.file == file && moved.remap_gdef(file, *def) != *def;
        let in_ty = |ty: &Ty| ty.mentions_any(&|def| gone(&(def, 0)), file);
        let argument = |argument: &Argument| match argument {
            Argument::Value(ty) => in_ty(ty),
            Argument::Param(param) => gone(param),
        };
        let ask = |ask: &ParamCall| ask.called.iter().chain(&ask.passed_on).any(gone);
        let found = |(param, value): &(Param, Argument)| gone(param) || argument(value);
        self.passed
            .iter()
            .any(|(param, tys)| gone(param) || tys.iter().any(in_ty))
            || self.wanted.params.iter().any(gone)
            || self.param_calls.get(&file).into_iter().flatten().any(ask)
            || self.found.values().flatten().any(found)
    }

    fn add_passed(&mut self, param: Param, ty: Ty) -> bool {
        let known = self.passed.entry(param).or_default();
        let new = known.len() < MAX_PASSED && !known.contains(&ty);
        if new {
            known.push(ty);
        }
        new
    }
}

impl TrackedParams {
    /// The parameters that are called, and those that are passed on to called ones.
    fn new(
        repo: &Repo,
        files: &[FileId],
        asks: &FxHashMap<FileId, Vec<ParamCall>>,
    ) -> TrackedParams {
        let mut wanted = TrackedParams::default();
        let mut passed_on: Vec<(Param, Sym)> = Vec::new();
        for ask in files.iter().filter_map(|file| asks.get(file)).flatten() {
            if let Some(param) = ask.called {
                wanted.track(repo, param);
            }
            let Some(name) = ask.name else { continue };
            let params = ask.passed_on.iter().copied();
            match ask.called {
                // The callee may call any of these arguments.
                Some(_) => params.for_each(|p| wanted.track(repo, p)),
                None => passed_on.extend(params.map(|p| (p, name))),
            }
        }
        for _ in 0..MAX_CHAIN {
            let before = wanted.params.len();
            for (param, name) in &passed_on {
                if wanted.names.contains(name) {
                    wanted.track(repo, *param);
                }
            }
            if wanted.params.len() == before {
                break;
            }
        }
        wanted
    }

    fn track(&mut self, repo: &Repo, param: Param) {
        let function = param.0;
        self.params.insert(param);
        let def = repo.def(function);
        self.names.insert(repo.sym_of_name(function.file, def.name));
        if let (SymbolKind::Constructor, Some(class)) = (def.kind, def.parent) {
            let class = repo.facts(function.file).def(class);
            self.names
                .insert(repo.sym_of_name(function.file, class.name));
        }
    }
}

/// The facts of a file's calls that concern called parameters; other calls are left out.
fn collect_param_calls(repo: &Repo, file: FileId) -> Vec<ParamCall> {
    let facts = repo.facts(file);
    let of_call = |site: &CallSite| {
        let Expr::Call { callee, args, .. } = facts.expr(site.expr) else {
            return None;
        };
        let name = callee_last_name(facts, *callee);
        let params = args
            .iter()
            .filter_map(|arg| resolve_parameter(repo, file, keyword_value(facts, *arg)));
        let ask = ParamCall {
            called: resolve_parameter(repo, file, *callee),
            name: name.map(|name| repo.sym_of_name(file, name)),
            passed_on: name.map_or_else(Vec::new, |_| params.collect()),
        };
        (ask.called.is_some() || !ask.passed_on.is_empty()).then_some(ask)
    };
    facts.calls.iter().filter_map(of_call).collect()
}

/// The last name of a callee.
fn callee_last_name(facts: &FileFacts, callee: ExprId) -> Option<NameId> {
    match facts.expr(callee) {
        Expr::Name { name, .. } | Expr::Member { name, .. } => Some(*name),
        _ => None,
    }
}

/// The value of a keyword argument; any other expression itself.
fn keyword_value(facts: &FileFacts, expr: ExprId) -> ExprId {
    match facts.expr(expr) {
        Expr::Keyword(_, value) => *value,
        _ => expr,
    }
}

/// The parameter without a written type that a name stands for, directly or through other names.
pub(super) fn resolve_parameter(repo: &Repo, file: FileId, expr: ExprId) -> Option<Param> {
    let facts = repo.facts(file);
    let mut expr = expr;
    for _ in 0..MAX_ALIASES {
        let Expr::Name { name, scope, at } = facts.expr(expr) else {
            return None;
        };
        let binding = repo.lookup(file, *name, *scope, *at, Namespace::VALUE, false)?;
        match binding.to {
            Bound::Param(def, n) => {
                let callable = facts.def(def).callable.as_deref()?;
                let param = callable.params.get(n as usize)?;
                let single = matches!(
                    param.kind,
                    ParamKind::Plain | ParamKind::Optional | ParamKind::KeywordOnly
                );
                return (single && param.ty.is_none()).then_some((GlobalDef { file, def }, n));
            }
            Bound::Local {
                ty: None,
                value: Some(value),
            } => expr = value,
            _ => return None,
        }
    }
    None
}

/// The arguments that the calls of a file pass for tracked parameters: in calls of functions by name, or of parameters.
fn collect_arguments(
    repo: &Repo,
    langs: &Langs,
    file: FileId,
    wanted: &TrackedParams,
    of_params: bool,
) -> Vec<(Param, Argument)> {
    let facts = repo.facts(file);
    let mut ev = Eval::new(repo, langs, file);
    let mut out = Vec::new();
    for site in &facts.calls {
        let Expr::Call { callee, args, .. } = facts.expr(site.expr) else {
            continue;
        };
        let Some(name) = callee_last_name(facts, *callee) else {
            continue;
        };
        let named = repo.sym_of_name(file, name);
        let own = resolve_parameter(repo, file, *callee).is_some();
        let asked = if of_params {
            own
        } else {
            wanted.names.contains(&named)
        };
        if args.is_empty() || !asked {
            continue;
        }
        let LinkOutcome::Targets(targets, _) = ev.link_call(file, site) else {
            continue;
        };
        for target in targets {
            for (at, arg) in args.iter().enumerate() {
                let Some(n) = param_of_argument(repo, target, facts, args, at) else {
                    continue;
                };
                let value = keyword_value(facts, *arg);
                if wanted.params.contains(&(target, n)) {
                    let given = classify_argument(&mut ev, file, value).into_iter();
                    out.extend(given.map(|argument| ((target, n), argument)));
                }
            }
        }
    }
    if !of_params {
        collect_decorator_arguments(&mut ev, file, wanted, &mut out);
    }
    out
}

/// A decorator by name is called with the definition it decorates: the innermost with the function itself.
fn collect_decorator_arguments(
    ev: &mut Eval<'_>,
    file: FileId,
    wanted: &TrackedParams,
    out: &mut Vec<(Param, Argument)>,
) {
    let repo = ev.repo;
    let facts = repo.facts(file);
    let sites = facts.calls.iter().rev();
    let sites = sites.filter(|c| c.kind == CallKind::Decorator);
    let sites: FxHashMap<ExprId, &CallSite> = sites.map(|c| (c.expr, c)).collect();
    for (at, def) in facts.defs.iter().enumerate() {
        let Some(decorator) = def.decorators.last() else {
            continue;
        };
        let site = sites.get(decorator).copied();
        let (Some(site), Expr::Name { name, .. }) = (site, facts.expr(*decorator)) else {
            continue;
        };
        if !def.kind.is_callable() || !wanted.names.contains(&repo.sym_of_name(file, *name)) {
            continue;
        }
        let function = GlobalDef {
            file,
            def: DefId(at as u32),
        };
        if let LinkOutcome::Targets(targets, _) = ev.link_call(file, site) {
            for target in targets {
                if let Some(n) = nth_positional_param(repo, target, 0)
                    .filter(|n| wanted.params.contains(&(target, *n)))
                {
                    let ty = Ty::Function([function].into(), None);
                    out.push(((target, n), Argument::Value(ty)));
                }
            }
        }
    }
}

/// The functions and classes that an argument is one of, or a parameter.
fn classify_argument(ev: &mut Eval<'_>, file: FileId, value: ExprId) -> Vec<Argument> {
    if let Some(param) = resolve_parameter(ev.repo, file, value) {
        return vec![Argument::Param(param)];
    }
    let by_name = matches!(
        ev.repo.facts(file).expr(value),
        Expr::Name { .. } | Expr::Member { .. }
    );
    if !by_name {
        return Vec::new();
    }
    ev.begin_site(file);
    let given = ev.type_of_expr(file, value);
    let is_callable = |ty: &&Ty| matches!(ty, Ty::Function(..) | Ty::Class(..));
    let each = given.alternatives().iter().filter(is_callable);
    each.cloned().map(Argument::Value).collect()
}

/// The parameter that an argument goes to; `None` after spread arguments.
fn param_of_argument(
    repo: &Repo,
    function: GlobalDef,
    facts: &FileFacts,
    args: &[ExprId],
    at: usize,
) -> Option<u32> {
    if let Expr::Keyword(name, _) = facts.expr(args[at]) {
        let (name, home) = (facts.name(*name), repo.facts(function.file));
        let params = &repo.def(function).callable.as_deref()?.params;
        let found = params.iter().position(|p| home.name(p.name) == name)?;
        return Some(found as u32);
    }
    let spread = |e: &ExprId| matches!(facts.expr(*e), Expr::Spread(_));
    if args[..=at].iter().any(spread) {
        None
    } else {
        nth_positional_param(repo, function, at)
    }
}

/// The parameter that takes the n-th argument by position.
fn nth_positional_param(repo: &Repo, function: GlobalDef, n: usize) -> Option<u32> {
    let params = &repo.def(function).callable.as_deref()?.params;
    let mut by_position = params
        .iter()
        .enumerate()
        .filter(|(_, p)| matches!(p.kind, ParamKind::Plain | ParamKind::Optional));
    let (at, _) = by_position.nth(n)?;
    let before = params[..at].iter().any(|p| p.kind == ParamKind::Variadic);
    (!before).then_some(at as u32)
}
