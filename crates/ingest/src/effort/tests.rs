//! Tests with small packs that unpack to much data.

use super::*;
use crate::history::HistoryError;
use crate::repository;
use gix::objs::Kind;
use gix::zlib::Compression;
use gix::zlib::stream::deflate::Write as Deflate;
use std::fs;
use std::io::Write;
use std::path::Path;

const MB: usize = 1 << 20;

/// A pack with its index.
#[derive(Default)]
struct Packed {
    bytes: Vec<u8>,
    objects: Vec<(gix::ObjectId, u32)>,
}

fn id_of(kind: Kind, data: &[u8]) -> gix::ObjectId {
    gix::objs::compute_hash(gix::hash::Kind::Sha1, kind, data).unwrap()
}

/// The id of an object that nothing refers to.
fn unnamed(number: u32) -> gix::ObjectId {
    let mut bytes = [1; 20];
    bytes[16..].copy_from_slice(&number.to_be_bytes());
    gix::ObjectId::from(bytes)
}

fn compressed(data: &[u8]) -> Vec<u8> {
    let mut deflate = Deflate::new(Vec::new(), Compression::BEST_SPEED);
    deflate.write_all(data).unwrap();
    deflate.flush().unwrap();
    deflate.into_inner()
}

fn number(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 127 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

impl Packed {
    /// Adds an entry; returns its position.
    fn entry(&mut self, kind: u8, before: &[u8], data: &[u8], id: gix::ObjectId) -> usize {
        let at = 12 + self.bytes.len();
        self.objects.push((id, at as u32));
        let mut head = number(data.len() >> 4);
        let more = if data.len() > 15 {
            128
        } else {
            head.clear();
            0
        };
        head.insert(0, kind << 4 | (data.len() & 15) as u8 | more);
        self.bytes
            .extend([&head, before, &compressed(data)].concat());
        at
    }

    fn full(&mut self, kind: Kind, data: &[u8], id: gix::ObjectId) -> usize {
        let number = match kind {
            Kind::Commit => 1,
            Kind::Tree => 2,
            Kind::Blob => 3,
            Kind::Tag => 4,
        };
        self.entry(number, &[], data, id)
    }

    /// Adds a delta: instructions that turn a base of that position and size into that many bytes.
    fn delta(
        &mut self,
        (base, size): (usize, usize),
        made: usize,
        steps: &[u8],
        id: gix::ObjectId,
    ) -> usize {
        let mut far = 12 + self.bytes.len() - base;
        let mut distance = vec![(far & 127) as u8];
        while far > 127 {
            far = (far >> 7) - 1;
            distance.insert(0, 128 | (far & 127) as u8);
        }
        let data = [number(size), number(made), steps.to_vec()].concat();
        self.entry(6, &distance, &data, id)
    }

    fn write(mut self, root: &Path, head: gix::ObjectId) {
        let git = root.join(".git");
        for folder in ["objects/pack", "refs/heads"] {
            fs::create_dir_all(git.join(folder)).unwrap();
        }
        fs::write(git.join("HEAD"), head.to_string()).unwrap();
        fs::write(
            git.join("config"),
            "[core]\n\trepositoryformatversion = 0\n",
        )
        .unwrap();
        self.objects.sort();
        let count = self.objects.len() as u32;
        let name = git.join(format!("objects/pack/pack-{head}.pack"));
        let start = [&b"PACK\0\0\0\x02"[..], &count.to_be_bytes()].concat();
        fs::write(&name, [start, self.bytes, vec![0; 20]].concat()).unwrap();
        let mut index = b"\xfftOc\0\0\0\x02".to_vec();
        for first in 0..=255 {
            let below = |(id, _): &&(gix::ObjectId, u32)| id.as_bytes()[0] <= first;
            let below = self.objects.iter().filter(below).count() as u32;
            index.extend(below.to_be_bytes());
        }
        for (id, _) in &self.objects {
            index.extend(id.as_bytes());
        }
        index.extend(vec![0; 4 * self.objects.len()]);
        for (_, at) in &self.objects {
            index.extend(at.to_be_bytes());
        }
        index.extend([0; 40]);
        fs::write(name.with_extension("idx"), index).unwrap();
    }
}

fn text_of(tree: gix::ObjectId, parent: Option<gix::ObjectId>, number: usize) -> Vec<u8> {
    let parent = parent.map_or(String::new(), |id| format!("parent {id}\n"));
    let who = format!("a <a@b.org> {} +0000", 1_700_000_000 + number);
    format!("tree {tree}\n{parent}author {who}\ncommitter {who}\n\nmore\n").into_bytes()
}

/// Instructions that insert a text.
fn written(text: &[u8]) -> Vec<u8> {
    let parts = text.chunks(100);
    parts
        .flat_map(|part| [&[part.len() as u8], part].concat())
        .collect()
}

/// The instruction that copies a whole base of `mb` MB, at most 15.
fn copied(mb: usize) -> [u8; 2] {
    [0x80 | 0x40, (mb << 4) as u8]
}

/// A tree of one file, and its id.
fn folder(packed: &mut Packed) -> gix::ObjectId {
    let text = b"def f(): pass\n";
    let blob = id_of(Kind::Blob, text);
    packed.full(Kind::Blob, text, blob);
    let tree = [&b"100644 a.py\0"[..], blob.as_bytes()].concat();
    let id = id_of(Kind::Tree, &tree);
    packed.full(Kind::Tree, &tree, id);
    id
}

/// A commit at the end of `deltas` deltas, each with a result of `mb` MB.
fn chain(root: &Path, deltas: u32, mb: usize) -> gix::ObjectId {
    let mut packed = Packed::default();
    let tree = folder(&mut packed);
    let mut at = packed.full(Kind::Commit, &vec![0; mb * MB], unnamed(0));
    for n in 1..=deltas {
        at = packed.delta((at, mb * MB), mb * MB, &copied(mb), unnamed(n));
    }
    let text = text_of(tree, None, 0);
    let head = id_of(Kind::Commit, &text);
    packed.delta((at, mb * MB), text.len(), &written(&text), head);
    packed.write(root, head);
    head
}

fn history(root: &Path) -> Result<crate::history::History, HistoryError> {
    let kept = root.join("kept");
    crate::history::load_or_read(root, &kept, 2_000, None, &Cancel::default())
}

#[test]
fn a_short_chain_is_read() {
    let folder = tempfile::tempdir().unwrap();
    chain(folder.path(), 20, 1);
    let found = history(folder.path()).unwrap();
    assert_eq!((found.commits.len(), found.unread), (1, 0));
    assert!(!found.cut && found.complete);
}

#[test]
fn a_chain_that_makes_too_much_is_not_gone_through() {
    for (deltas, mb) in [(20_000, 15), (5_000, 1)] {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        chain(root, deltas, mb);
        let head = crate::diff::DiffBase::Since("HEAD".to_owned());
        let errors = [
            history(root).err(),
            crate::diff::diff(root, &head).err(),
            crate::diff::diff(root, &crate::diff::DiffBase::Staged).err(),
            crate::history::changed_paths_since(root, "HEAD").err(),
        ];
        for error in errors {
            let error = error.unwrap().to_string();
            assert!(
                error.contains("differences on top of each other"),
                "{error}"
            );
        }
    }
}

#[test]
fn what_many_large_bases_take_is_limited_for_all_together() {
    let folder_on_disk = tempfile::tempdir().unwrap();
    let mut packed = Packed::default();
    let tree = folder(&mut packed);
    let base = packed.full(Kind::Commit, &vec![0; 15 * MB], unnamed(0));
    let (mut parent, mut all) = (None, Vec::new());
    for n in 0..2_000 {
        let text = text_of(tree, parent, n);
        let id = id_of(Kind::Commit, &text);
        packed.delta((base, 15 * MB), text.len(), &written(&text), id);
        parent = Some(id);
        all.push(id);
    }
    packed.write(folder_on_disk.path(), all[all.len() - 1]);
    let effort = Effort::with_limit(1 << 30, &Cancel::default(), None);
    let repo = repository::open_checked(folder_on_disk.path(), &effort).unwrap();
    let read = |id: &&gix::ObjectId| repo.find_object(**id).unwrap().try_into_commit().is_ok();
    let found = all.iter().take_while(read).count();
    assert!(found > 2 && found < 20, "{found}");
    assert!(effort.is_spent() && effort.reason().unwrap().contains("one question"));
    // Nothing is read for a cancelled question.
    let gone = Cancel::default();
    let effort = Effort::for_comparison(&gone);
    let repo = repository::open_checked(folder_on_disk.path(), &effort).unwrap();
    assert!(read(&&all[0]) || !effort.is_spent());
    gone.set();
    assert!(repo.find_object(all[1]).unwrap().try_into_commit().is_err());
    assert_eq!(effort.reason(), None);
}

#[test]
fn a_delta_that_is_larger_than_what_it_makes_is_not_read() {
    let root = tempfile::tempdir().unwrap();
    let mut packed = Packed::default();
    let tree = folder(&mut packed);
    let base = packed.full(Kind::Commit, b"from", unnamed(0));
    let text = text_of(tree, None, 0);
    let id = id_of(Kind::Commit, &text);
    // Each byte is copied by an instruction of its own.
    let steps = [0x90, 1].repeat(10 * MB);
    packed.delta((base, 4), text.len(), &steps, id);
    packed.write(root.path(), id);
    let error = history(root.path()).unwrap_err().to_string();
    assert!(error.contains("as no git packs it"), "{error}");
}

#[test]
fn a_base_that_is_too_large_is_said() {
    let root = tempfile::tempdir().unwrap();
    let mut packed = Packed::default();
    let tree = folder(&mut packed);
    let base = packed.full(Kind::Commit, &vec![0; 17 * MB], unnamed(0));
    let text = text_of(tree, None, 0);
    let id = id_of(Kind::Commit, &text);
    packed.delta((base, 17 * MB), text.len(), &written(&text), id);
    packed.write(root.path(), id);
    let error = history(root.path()).unwrap_err().to_string();
    assert!(error.contains("more than 16 MB"), "{error}");
}
