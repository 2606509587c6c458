//! Positions of nested items for a picture: each is a circle that contains the circles of its parts.
//!
//! Circles are placed one after the other, each touching two that are placed already, as near to the middle as possible (Wang et
//! al., "Visualization of large hierarchical data by circle packing", 2006). The same input gives the same picture on every
//! machine: only additions, multiplications, divisions and square roots are used, which IEEE 754 defines to the last bit.

use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A circle.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Circle {
    /// The middle, from left to right.
    pub x: f64,
    /// The middle, from top to bottom.
    pub y: f64,
    /// The radius.
    pub r: f64,
}

impl Circle {
    fn distance_to(self, other: Circle) -> f64 {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        (dx * dx + dy * dy).sqrt()
    }

    fn overlaps(self, other: Circle) -> bool {
        self.distance_to(other) < (self.r + other.r) * (1.0 - 1e-6)
    }
}

/// An item to be placed. Its parts come after it in the list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayoutItem {
    /// The index of the item that contains it; none for the outermost, which is the first.
    pub parent: Option<u32>,
    /// Area of an item without parts.
    pub weight: f64,
}

/// Two items that belong together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LayoutLink {
    /// One of the two, by its index in the list of items.
    pub from: u32,
    /// The other.
    pub to: u32,
    /// How strongly they belong together.
    pub strength: f64,
}

/// The space between the circles of one parent, and between them and the parent's edge, as a share of the smallest radius.
const GAP: f64 = 0.12;
/// The greatest extra distance from the middle at which a circle may be placed to be near those that it is linked with, in its own
/// radii.
const SLACK: f64 = 1.5;
/// The number of steps towards the middle of the smallest enclosing circle. Its radius is then at most a few percent too large.
const STEPS: u32 = 160;

/// Circles of all items, around (0, 0). Linked parts of equal size in one parent follow each other, and so lie near each other.
pub fn layout(items: &[LayoutItem], links: &[LayoutLink]) -> Vec<Circle> {
    let mut parts: Vec<Vec<u32>> = vec![Vec::new(); items.len()];
    for (item, at) in items.iter().zip(0u32..) {
        let parent = item.parent.filter(|parent| *parent < at);
        if let Some(parent) = parent.and_then(|parent| parts.get_mut(parent as usize)) {
            parent.push(at);
        }
    }
    let siblings = sibling_links(items, links);
    let mut circles: Vec<Circle> = items
        .iter()
        .map(|item| Circle {
            r: item.weight.max(1.0).sqrt(),
            ..Circle::default()
        })
        .collect();
    // Parts come after the item that contains them, so the reverse order knows the circles of the parts first.
    for at in (0..items.len()).rev() {
        if !parts[at].is_empty() {
            circles[at].r = place_parts(&mut circles, &parts[at], &siblings);
        }
    }
    for at in 0..items.len() {
        let middle = circles[at];
        for part in &parts[at] {
            let part = &mut circles[*part as usize];
            (part.x, part.y) = (part.x + middle.x, part.y + middle.y);
        }
    }
    circles
}

type Links = FxHashMap<u32, Vec<(u32, f64)>>;

/// Links between parts of the same parent. A link between deeper items counts for the first two around them that have one parent.
fn sibling_links(items: &[LayoutItem], links: &[LayoutLink]) -> Links {
    let depths = depths(items);
    let parent = |at: u32| items.get(at as usize).and_then(|item| item.parent);
    let depth = |at: u32| depths.get(at as usize).copied().unwrap_or(0);
    let mut summed: FxHashMap<(u32, u32), f64> = FxHashMap::default();
    for link in links {
        let (mut a, mut b) = (link.from, link.to);
        while a != b && parent(a) != parent(b) {
            let deeper = if depth(a) < depth(b) { &mut b } else { &mut a };
            match parent(*deeper) {
                Some(above) => *deeper = above,
                None => break,
            }
        }
        if a != b && parent(a) == parent(b) {
            *summed.entry((a.min(b), a.max(b))).or_default() += link.strength;
        }
    }
    let mut pairs: Vec<((u32, u32), f64)> = summed.into_iter().collect();
    pairs.sort_unstable_by_key(|(pair, _)| *pair);
    let mut found = Links::default();
    for ((a, b), strength) in pairs {
        found.entry(a).or_default().push((b, strength));
        found.entry(b).or_default().push((a, strength));
    }
    found
}

fn depths(items: &[LayoutItem]) -> Vec<u32> {
    let mut depths: Vec<u32> = Vec::with_capacity(items.len());
    for item in items {
        let above = item.parent.and_then(|at| depths.get(at as usize));
        depths.push(above.map_or(0, |depth| depth + 1));
    }
    depths
}

/// Places the parts of an item around (0, 0). Returns the radius of the circle around them.
fn place_parts(circles: &mut [Circle], parts: &[u32], links: &Links) -> f64 {
    let order = order_of_parts(circles, parts, links);
    let smallest = order
        .iter()
        .map(|part| circles[*part as usize].r)
        .fold(f64::INFINITY, f64::min);
    let gap = smallest * GAP;
    let mut placed: Vec<Circle> = order
        .iter()
        .map(|part| Circle {
            r: circles[*part as usize].r + gap,
            ..Circle::default()
        })
        .collect();
    pack(&mut placed, &pulls(&order, links));
    let around = enclose(&placed);
    for (part, circle) in order.iter().zip(&placed) {
        let part = &mut circles[*part as usize];
        (part.x, part.y) = (circle.x - around.x, circle.y - around.y);
    }
    around.r + gap
}

/// Parts by size class, the largest first. Within a class, the next part is the one with the strongest links to those before it.
fn order_of_parts(circles: &[Circle], parts: &[u32], links: &Links) -> Vec<u32> {
    // The exponent of the area: unlike a logarithm it is exact.
    let class = |part: u32| {
        let r = circles[part as usize].r;
        (r * r).to_bits() >> 52
    };
    let mut pull: FxHashMap<u32, f64> = FxHashMap::default();
    let mut waiting: BinaryHeap<(u64, u64, Reverse<u32>)> = parts
        .iter()
        .map(|part| (class(*part), 0, Reverse(*part)))
        .collect();
    let mut done: FxHashMap<u32, ()> = FxHashMap::default();
    let mut order = Vec::with_capacity(parts.len());
    while let Some((_, _, Reverse(part))) = waiting.pop() {
        if done.insert(part, ()).is_some() {
            continue;
        }
        order.push(part);
        for (other, strength) in links.get(&part).into_iter().flatten() {
            if !done.contains_key(other) {
                let pull = pull.entry(*other).or_default();
                *pull += strength;
                // Positive numbers and their bits have the same order.
                waiting.push((class(*other), pull.to_bits(), Reverse(*other)));
            }
        }
    }
    order
}

/// For each part, its links to parts before it in the order, with their strength.
fn pulls(order: &[u32], links: &Links) -> Vec<Vec<(usize, f64)>> {
    let places: FxHashMap<u32, usize> = order.iter().copied().zip(0..).collect();
    let before = |(part, at): (&u32, usize)| {
        let linked = links.get(part).into_iter().flatten();
        let known = linked.filter_map(|(other, strength)| Some((*places.get(other)?, *strength)));
        known.filter(|(other, _)| *other < at).collect()
    };
    order.iter().zip(0..).map(before).collect()
}

/// The point towards which a circle is drawn: the mean position of the placed circles that it is linked with.
fn target(circles: &[Circle], pulls: &[(usize, f64)]) -> Option<(f64, f64)> {
    let (mut x, mut y, mut sum) = (0.0, 0.0, 0.0);
    for (at, strength) in pulls {
        x += circles[*at].x * strength;
        y += circles[*at].y * strength;
        sum += strength;
    }
    (sum > 0.0).then(|| (x / sum, y / sum))
}

/// Places circles so that each touches two before it, near to those that it is linked with.
fn pack(circles: &mut [Circle], pulls: &[Vec<(usize, f64)>]) {
    let count = circles.len();
    if count < 2 {
        return;
    }
    let (first, second) = (circles[0].r, circles[1].r);
    (circles[0].x, circles[1].x) = (-second, first);
    if count == 2 {
        return;
    }
    circles[2] = touching(circles[1], circles[0], circles[2].r);
    let mut front = Front::around_three(count);
    let mut next_circle = 3;
    let mut at = front.choose(circles, 0, next_circle, pulls);
    while next_circle < count {
        let (a, b) = (at, front.next[at]);
        let new = touching(circles[a], circles[b], circles[next_circle].r);
        match front.first_overlap(circles, (a, b), new) {
            Some((other, true)) => {
                front.join(a, other);
                at = a;
            }
            Some((other, false)) => {
                front.join(other, b);
                at = other;
            }
            None => {
                circles[next_circle] = new;
                front.insert(a, next_circle, b);
                next_circle += 1;
                at = front.choose(circles, next_circle - 1, next_circle, pulls);
            }
        }
    }
}

/// The outermost placed circles, in a ring.
struct Front {
    next: Vec<usize>,
    previous: Vec<usize>,
}

impl Front {
    fn around_three(count: usize) -> Front {
        let mut front = Front {
            next: vec![0; count],
            previous: vec![0; count],
        };
        front.join(0, 1);
        front.join(1, 2);
        front.join(2, 0);
        front
    }

    fn join(&mut self, a: usize, b: usize) {
        self.next[a] = b;
        self.previous[b] = a;
    }

    fn insert(&mut self, a: usize, new: usize, b: usize) {
        self.join(a, new);
        self.join(new, b);
    }

    /// The first circle of the front that a new one between `a` and `b` would overlap. Both directions are searched at once, the
    /// shorter way first. Also returns whether it comes after `b`.
    fn first_overlap(
        &self,
        circles: &[Circle],
        (a, b): (usize, usize),
        new: Circle,
    ) -> Option<(usize, bool)> {
        let (mut after, mut before) = (self.next[b], self.previous[a]);
        let (mut way_after, mut way_before) = (circles[b].r, circles[a].r);
        loop {
            if way_after <= way_before {
                if circles[after].overlaps(new) {
                    return Some((after, true));
                }
                way_after += circles[after].r;
                after = self.next[after];
            } else {
                if circles[before].overlaps(new) {
                    return Some((before, false));
                }
                way_before += circles[before].r;
                before = self.previous[before];
            }
            if after == self.next[before] {
                return None;
            }
        }
    }

    /// The first circle of the pair beside which a new circle is placed. Its touching point is nearest to the middle. Or it is at
    /// most [`SLACK`] farther, and nearest to the point towards which the circle is drawn. `from` is a circle of the front.
    fn choose(
        &self,
        circles: &[Circle],
        from: usize,
        new: usize,
        pulls: &[Vec<(usize, f64)>],
    ) -> usize {
        let Some(circle) = circles.get(new) else {
            return from;
        };
        let (mut nearest, mut least) = (from, f64::INFINITY);
        for (at, point) in self.points(circles, from) {
            let distance = length(point);
            if distance < least {
                (nearest, least) = (at, distance);
            }
        }
        let Some(to) = target(circles, &pulls[new]) else {
            return nearest;
        };
        let most = least + SLACK * circle.r;
        let mut closest = f64::INFINITY;
        for (at, point) in self.points(circles, from) {
            let way = length((point.0 - to.0, point.1 - to.1));
            if length(point) <= most && way < closest {
                (nearest, closest) = (at, way);
            }
        }
        nearest
    }

    /// The circles of the front, each with the point between it and the next one.
    fn points<'f>(
        &'f self,
        circles: &'f [Circle],
        from: usize,
    ) -> impl Iterator<Item = (usize, (f64, f64))> + 'f {
        let point = move |at: usize| {
            let (a, b) = (circles[at], circles[self.next[at]]);
            let sum = a.r + b.r;
            let x = (a.x * b.r + b.x * a.r) / sum;
            (at, (x, (a.y * b.r + b.y * a.r) / sum))
        };
        let next = move |at: &usize| Some(self.next[*at]).filter(|next| *next != from);
        std::iter::successors(Some(from), next).map(point)
    }
}

fn length((x, y): (f64, f64)) -> f64 {
    (x * x + y * y).sqrt()
}

/// The circle of radius `r` that touches two others from outside, to the left of the line from the first to the second.
fn touching(a: Circle, b: Circle, r: f64) -> Circle {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let squared = dx * dx + dy * dy;
    if squared <= 0.0 {
        return Circle {
            x: a.x + a.r + r,
            y: a.y,
            r,
        };
    }
    let (to_a, to_b) = (a.r + r, b.r + r);
    // The distances along the line and to its side, as shares of its length.
    let along = (squared + to_a * to_a - to_b * to_b) / (2.0 * squared);
    let side = (to_a * to_a / squared - along * along).max(0.0).sqrt();
    Circle {
        x: a.x + along * dx + side * dy,
        y: a.y + along * dy - side * dx,
        r,
    }
}

/// A circle around others that is hardly larger than the smallest one. Its middle steps towards the farthest circle, each time by a
/// shorter way (Bădoiu and Clarkson, "Smaller core-sets for balls", 2003).
fn enclose(circles: &[Circle]) -> Circle {
    let mut middle = match circles {
        [] => return Circle::default(),
        [only] => return *only,
        [first, ..] => Circle { r: 0.0, ..*first },
    };
    let reach = |middle: Circle, circle: &Circle| middle.distance_to(*circle) + circle.r;
    let farthest = |middle: Circle| {
        let mut found = (0.0, circles[0]);
        for circle in circles {
            let reach = reach(middle, circle);
            if reach > found.0 {
                found = (reach, *circle);
            }
        }
        found
    };
    let mut best = Circle {
        r: farthest(middle).0,
        ..middle
    };
    for step in 1..=STEPS {
        let (radius, far) = farthest(middle);
        if radius < best.r {
            best = Circle {
                r: radius,
                ..middle
            };
        }
        let distance = middle.distance_to(far);
        if distance <= 0.0 {
            break;
        }
        let share = radius / distance / f64::from(step + 1);
        middle.x += (far.x - middle.x) * share;
        middle.y += (far.y - middle.y) * share;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers() -> impl FnMut(u32) -> u32 {
        let mut seed = 7u32;
        move |most| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % most
        }
    }

    fn item(parent: Option<u32>, weight: f64) -> LayoutItem {
        LayoutItem { parent, weight }
    }

    fn link(from: u32, to: u32, strength: f64) -> LayoutLink {
        LayoutLink { from, to, strength }
    }

    fn tree(count: u32) -> Vec<LayoutItem> {
        let mut number = numbers();
        let mut items = vec![item(None, 1.0)];
        for at in 1..count {
            let parent = number(at.min(200));
            items.push(item(Some(parent), f64::from(1 + number(900))));
        }
        items
    }

    fn check_nested(items: &[LayoutItem], circles: &[Circle]) {
        let mut parts: Vec<Vec<Circle>> = vec![Vec::new(); items.len()];
        for (item, circle) in items.iter().zip(circles) {
            let Some(parent) = item.parent else { continue };
            let outer = circles[parent as usize];
            assert!(outer.distance_to(*circle) + circle.r <= outer.r * (1.0 + 1e-9));
            parts[parent as usize].push(*circle);
        }
        for parts in parts {
            for (at, a) in parts.iter().enumerate() {
                for b in &parts[..at] {
                    assert!(!a.overlaps(*b), "{a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn parts_lie_within_and_beside_each_other() {
        for count in [1, 2, 3, 4, 5, 30, 1_500] {
            let items = tree(count);
            check_nested(&items, &layout(&items, &[]));
        }
    }

    #[test]
    fn little_of_the_area_is_empty() {
        let mut items = vec![item(None, 1.0)];
        let mut number = numbers();
        items.extend((0..400).map(|_| item(Some(0), f64::from(1 + number(500)))));
        let circles = layout(&items, &[]);
        let area: f64 = circles[1..].iter().map(|c| c.r * c.r).sum();
        let share = area / (circles[0].r * circles[0].r);
        assert!(share > 0.6, "{share}");
    }

    #[test]
    fn the_same_input_gives_the_same_picture() {
        let items = tree(800);
        let links: Vec<LayoutLink> = (1..700).map(|at| link(at, at + 37, 1.0)).collect();
        let mut turned = links.clone();
        turned.reverse();
        assert_eq!(layout(&items, &links), layout(&items, &turned));
    }

    #[test]
    fn linked_parts_of_one_size_lie_nearer_than_others() {
        let mut items = vec![item(None, 1.0)];
        items.extend((0..200).map(|_| item(Some(0), 9.0)));
        // Twenty groups, whose members are far apart in the list.
        let links: Vec<LayoutLink> = (0..180).map(|at| link(at + 1, at + 21, 5.0)).collect();
        let mean = |circles: &[Circle]| {
            let length = |link: &LayoutLink| {
                circles[link.from as usize].distance_to(circles[link.to as usize])
            };
            links.iter().map(length).sum::<f64>() / links.len() as f64
        };
        assert!(mean(&layout(&items, &links)) < 0.7 * mean(&layout(&items, &[])));
    }

    #[test]
    fn links_of_inner_parts_count_for_what_holds_them() {
        // 1 holds 3, 2 holds 4.
        let parents = [None, Some(0), Some(0), Some(1), Some(2)];
        let items = parents.map(|parent| item(parent, 1.0));
        let links = sibling_links(&items, &[link(3, 4, 2.0), link(3, 2, 1.0), link(3, 1, 5.0)]);
        assert_eq!(links[&1], vec![(2, 3.0)]);
        assert!(!links.contains_key(&3));
    }

    #[test]
    fn fifty_thousand_circles_in_one_are_no_product() {
        let mut items = vec![item(None, 1.0)];
        items.extend((0..50_000).map(|at| item(Some(0), f64::from(1 + at % 50))));
        let circles = layout(&items, &[]);
        assert!(
            circles
                .iter()
                .all(|circle| circle.x.is_finite() && circle.y.is_finite())
        );
    }
}
