//! Topics of Kafka, subjects of NATS and queues of AMQP whose names are literals.

use super::endpoints::Endpoints;
use super::repo::{Call, CodeRepo};
use crate::{Protocol, Role};
use base::remote::{CallTerm, Term};

/// Adds senders to topics and their receivers.
pub(super) fn add_topics(found: &mut Endpoints<'_, '_>) {
    let repo = found.repo;
    for call in repo.all_calls() {
        let Some(system) = repo.imports(call.file).broker else {
            continue;
        };
        let Some((role, names)) = topics(repo, call, system) else {
            continue;
        };
        for name in names {
            let protocol = Protocol::Topic {
                system: system.to_owned(),
                name,
            };
            let (place, at) = ((call.file, call.symbol), (call.file, call.line));
            if !found.add((role, protocol), place, at, &call.term().name) {
                return;
            }
        }
    }
}

/// The topics to which a call sends (consumer), or from which it receives (provider). `system` is the broker that the file
/// uses.
fn topics(repo: &CodeRepo<'_>, call: &Call, system: &str) -> Option<(Role, Vec<String>)> {
    let term = call.term();
    let of = |role, names: Vec<String>| {
        let named = names.into_iter().filter(|n| is_topic_name(n));
        let names: Vec<String> = named.collect();
        (!names.is_empty()).then_some((role, names))
    };
    let keys = [
        "topic",
        "Topic",
        "topics",
        "subject",
        "queue",
        "routing_key",
        "routingKey",
    ];
    let keyed = || -> Vec<String> {
        let values = keys.iter().filter_map(|key| term.named(key));
        values.flat_map(|value| texts(repo, value)).collect()
    };
    let first = |at: usize| -> Vec<String> {
        term.positional(at)
            .map_or(Vec::new(), |value| texts(repo, value))
    };
    let either = |at: usize| {
        let keyed = keyed();
        if keyed.is_empty() { first(at) } else { keyed }
    };
    match (&*term.name.to_ascii_lowercase(), system) {
        ("send" | "produce" | "send_and_wait", "kafka") => of(Role::Consumer, either(0)),
        ("newwriter" | "writer" | "writerconfig", "kafka") => {
            of(Role::Consumer, keyed_or_inner(repo, term, keyed()))
        }
        ("subscribe" | "kafkaconsumer", "kafka") => of(Role::Provider, either(0)),
        ("newreader" | "reader" | "readerconfig", "kafka") => {
            of(Role::Provider, keyed_or_inner(repo, term, keyed()))
        }
        ("publish" | "publishasync" | "request", "nats") => of(Role::Consumer, first(0)),
        ("subscribe" | "queuesubscribe" | "subscribesync", "nats") => of(Role::Provider, first(0)),
        ("sendtoqueue", "amqp") => of(Role::Consumer, first(0)),
        ("publish" | "publishwithcontext", "amqp") => {
            let at = usize::from(term.name.to_ascii_lowercase().contains("context")) + 1;
            of(Role::Consumer, first(at))
        }
        ("basic_publish" | "basicpublish", "amqp") => of(Role::Consumer, either(1)),
        ("convertandsend", "amqp") => of(Role::Consumer, first(0)),
        ("consume" | "basic_consume" | "basicconsume", "amqp") => of(Role::Provider, either(0)),
        _ => None,
    }
}

/// In `kafka.NewWriter(kafka.WriterConfig{Topic: "x"})` the inner call names the topic.
fn keyed_or_inner(repo: &CodeRepo<'_>, term: &CallTerm, keyed: Vec<String>) -> Vec<String> {
    if !keyed.is_empty() {
        return keyed;
    }
    let inner = term.args.iter().filter_map(|arg| match arg {
        Term::Call(inner) => inner.named("Topic"),
        _ => None,
    });
    inner.flat_map(|value| texts(repo, value)).collect()
}

fn texts(repo: &CodeRepo<'_>, term: &Term) -> Vec<String> {
    match term {
        Term::List(items) => items.iter().filter_map(|i| repo.text_of(i)).collect(),
        term => repo.text_of(term).into_iter().collect(),
    }
}

fn is_topic_name(name: &str) -> bool {
    let good = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '/');
    name.len() >= 2 && name.len() <= 120 && name.chars().all(good)
}
