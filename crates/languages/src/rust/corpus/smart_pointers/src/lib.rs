use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex, OnceLock, RwLock};

pub struct Node {
    children: RefCell<Vec<Rc<Node>>>,
    parent: Option<Weak<Node>>,
    left: Option<Box<Node>>,
    depth: Cell<u32>,
    meta: OnceCell<Meta>,
}

pub struct Meta {
    title: String,
}

impl Meta {
    fn title(&self) -> &str {
        &self.title
    }

    fn set(&mut self, title: &str) {
        self.title = title.into();
    }

    fn lock(&self) {}
}

impl Node {
    fn depth(&self) -> u32 {
        self.depth.get() + self.left.as_ref().map_or(0, |left| left.depth()) // calls :Node.depth
    }

    /// The name is also one of `RefCell`.
    fn borrow(&self) -> &Meta {
        self.meta.get_or_init(|| Meta { title: String::new() })
    }

    fn add(self: &Rc<Self>, child: Rc<Node>) {
        self.children.borrow_mut().push(Rc::clone(&child));
        child.depth.set(self.depth() + 1); // calls :Node.depth
    }

    fn root(self: Rc<Self>) -> Rc<Node> {
        match self.parent.as_ref().and_then(Weak::upgrade) {
            Some(parent) => parent.root(), // calls :Node.root (missed)
            None => self,
        }
    }
}

pub struct Leaf;

impl Leaf {
    fn depth(&self) {}
}

pub struct Registry {
    metas: Arc<Mutex<HashMap<String, Meta>>>,
    current: RwLock<Option<Arc<Leaf>>>,
    first: Mutex<Meta>,
}

static REGISTRY: OnceLock<Registry> = OnceLock::new();

fn registry() -> &'static Registry {
    REGISTRY.get_or_init(Registry::new)
}

impl Registry {
    fn new() -> Self {
        Registry {
            metas: Arc::default(),
            current: RwLock::new(None),
            first: Mutex::new(Meta { title: String::new() }),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Meta> {
        self.first.lock().unwrap()
    }
}

pub fn run(node: Rc<Node>, boxed: Box<Node>, cow: Cow<'_, str>) {
    node.depth(); // calls :Node.depth
    boxed.borrow().title(); // calls :Node.borrow, :Meta.title
    node.children.borrow()[0].depth(); // calls :Node.depth
    for child in node.children.borrow().iter() {
        child.borrow().title(); // calls :Node.borrow, :Meta.title
    }
    node.clone().root().depth(); // calls :Node.root, :Node.depth
    Rc::clone(&node).add(Rc::new(*boxed)); // calls :Node.add
    registry().lock().set("a"); // calls :registry, :Registry.lock, :Meta.set
    registry().first.lock().unwrap().lock(); // calls :registry, :Meta.lock
    registry().metas.lock().unwrap().get_mut("b").unwrap().set("c"); // calls :registry, :Meta.set
    if let Some(current) = registry().current.read().unwrap().as_ref() { // calls :registry
        current.depth(); // calls :Leaf.depth
    }
    let mut guard = registry().metas.lock().expect("lock"); // calls :registry
    guard.entry("d".into()).or_insert_with(|| Meta { title: cow.into_owned() }).set("e"); // calls :Meta.set
    drop(guard);
    let shared = Arc::new(Mutex::new(Meta { title: String::new() }));
    let other = Arc::clone(&shared);
    std::thread::spawn(move || other.lock().unwrap().set("f")); // calls :Meta.set
    shared.lock().map(|mut meta| meta.set("g")).ok(); // calls :Meta.set
    let taken = shared.lock().unwrap().title().len(); // calls :Meta.title
    let _ = taken;
}
