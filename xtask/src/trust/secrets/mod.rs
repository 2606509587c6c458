//! `trust secrets`: plants values in a generated project and in saved solutions, and looks for them in every file that
//! the program writes and in every answer. A tenth of the formats is held out: nobody looks at their results while the
//! rules are written, and their figure is reported apart.

mod alarms;
mod doors;
mod formats;
mod found;
mod values;

use super::{Args, Figure, binary};
use anyhow::Result;
use doors::Scene;
use formats::Planted;
use std::collections::BTreeMap;
use testkit::edits::Random;

/// The number of times that each format is filled in.
const EACH: usize = 5;
/// The largest share of planted values that may leak.
const BAR: f64 = 0.02;
/// The most lines of public code that may be blanked, and the bytes of code that this refers to.
const ALARMS: (f64, f64) = (400.0, 109e6);

/// Plants values, searches for them, and returns the shares that leaked.
pub(super) fn check_secrets(args: &Args) -> Result<Vec<Figure>> {
    let mut random = Random::new(args.seed);
    let formats = formats::all();
    let planted: Vec<Planted> = (0..EACH)
        .flat_map(|number| formats.iter().map(move |format| (format, number)))
        .map(|(format, number)| format.plant(&mut random, number))
        .collect();
    let saved: Vec<Planted> = formats
        .iter()
        .map(|format| format.plant(&mut random, EACH))
        .collect();
    let asked: Vec<Planted> = formats
        .iter()
        .filter(|format| format.category == "vendor token" || format.category == "url")
        .map(|format| format.plant(&mut random, EACH + 1))
        .collect();
    let scene = Scene::new(binary(args)?, &planted)?;
    let mut kept = scene.ask(&planted)?;
    kept.extend(scene.save(&saved)?);
    kept.extend(scene.tell(&asked)?);
    let hay = found::Hay::new(kept);
    let matched = scene.bisected(&planted)?;

    let mut figures = Vec::new();
    let mut stayed: Vec<(&Planted, String)> = Vec::new();
    for (at, one) in planted.iter().enumerate() {
        let place = hay.first(one, "saved").or_else(|| {
            let matched = matched.contains(&at);
            matched.then(|| "matched by a pattern".to_owned())
        });
        stayed.extend(place.map(|place| (one, place)));
    }
    let share = |what: &str, all: &[&Planted], left: usize, bar: bool| {
        let share = left as f64 / all.len().max(1) as f64;
        let value = format!("{left} of {} = {:.1}%", all.len(), 100.0 * share);
        if bar {
            Figure::new(what, value, "at most 2%", share <= BAR)
        } else {
            Figure::note(what, value)
        }
    };
    let of = |choose: &dyn Fn(&Planted) -> bool| -> (Vec<&Planted>, usize) {
        let left = stayed.iter().filter(|(p, _)| choose(p)).count();
        (planted.iter().filter(|p| choose(p)).collect(), left)
    };
    let mut figure = |what: &str, choose: &dyn Fn(&Planted) -> bool, bar: bool| {
        let (all, left) = of(choose);
        figures.push(share(what, &all, left, bar));
    };
    figure("planted in a project, readable somewhere", &|_| true, true);
    figure("  of common names", &|p| p.common, false);
    figure("  of formats held out", &|p| p.held_out, false);
    figure("  of formats added later", &|p| p.later, false);
    let categories: BTreeMap<&str, ()> = planted.iter().map(|p| (p.category, ())).collect();
    for category in categories.keys() {
        figure(
            &format!("  {category}"),
            &|p| p.category == *category,
            false,
        );
    }
    for (what, all) in [
        ("planted in solutions, readable somewhere", &saved),
        ("told in questions, kept somewhere", &asked),
    ] {
        let left: Vec<_> = all
            .iter()
            .filter_map(|p| Some((p, hay.first(p, "project")?)))
            .collect();
        let every: Vec<&Planted> = all.iter().collect();
        figures.push(share(what, &every, left.len(), true));
        stayed.extend(left);
    }
    if args.list {
        for (one, place) in stayed.iter().filter(|(p, _)| !p.held_out) {
            println!(
                "    {} [{}] {} in {}: {place}",
                one.format, one.shape, one.name, one.path
            );
        }
    }
    figures.extend(alarms::figures(&args.corpus, args.list)?);
    Ok(figures)
}
