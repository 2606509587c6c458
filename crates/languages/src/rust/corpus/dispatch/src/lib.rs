mod plugin;

use plugin::{Context, Plugin, Upper};
use std::any::Any;
use std::collections::HashMap;

type Handler = fn(&Context) -> Reply;
type Hook = Box<dyn FnMut(&mut Context) -> Reply>;

pub struct Reply {
    code: u32,
}

impl Reply {
    fn code(&self) -> u32 {
        self.code
    }

    fn run(&self) {}
}

#[derive(Default)]
pub struct Registry {
    plugins: HashMap<String, Box<dyn Plugin>>,
    handlers: HashMap<&'static str, Handler>,
    hooks: Vec<Hook>,
    fallback: Option<Box<dyn Plugin + Send>>,
}

fn index(_context: &Context) -> Reply {
    Reply { code: 200 }
}

const TABLE: [(&str, Handler); 2] = [("/", index), ("/x", |context| index(context))]; // calls :index

impl Registry {
    pub fn add<P: Plugin + 'static>(&mut self, plugin: P) -> &mut Self {
        let name = plugin.name().to_owned(); // calls src/plugin.rs:Plugin.name
        self.plugins.insert(name, Box::new(plugin));
        self
    }

    pub fn hook(&mut self, hook: impl FnMut(&mut Context) -> Reply + 'static) {
        self.hooks.push(Box::new(hook));
    }

    pub fn run(&mut self, context: &mut Context) -> u32 {
        for plugin in self.plugins.values() {
            plugin.run(context); // calls src/plugin.rs:Plugin.run
        }
        for hook in self.hooks.iter_mut() {
            hook(context).code(); // calls :Reply.code
        }
        if let Some(handler) = self.handlers.get("a") {
            handler(context).run(); // calls :Reply.run
        }
        (self.handlers["b"])(context).code(); // calls :Reply.code
        (TABLE[0].1)(context).code(); // calls :Reply.code
        match self.fallback.as_deref() {
            Some(plugin) => plugin.run(context).len(), // calls src/plugin.rs:Plugin.run
            None => index(context).code() as usize, // calls :index, :Reply.code
        };
        self.named("c").map(|plugin| plugin.name().len()); // calls :Registry.named, src/plugin.rs:Plugin.name
        self.fallback.as_ref().unwrap().boxed().name(); // calls src/plugin.rs:Plugin.boxed, src/plugin.rs:Plugin.name
        0
    }

    fn named(&self, name: &str) -> Option<&dyn Plugin> {
        self.plugins.get(name).map(|plugin| plugin.as_ref())
    }
}

pub fn start(any: &dyn Any, list: Vec<Box<dyn Plugin>>) {
    let mut registry = Registry::default();
    registry.add(Upper).add(plugin::Counted::new(3)).hook(|c| { c.run(); index(c) }); // calls :Registry.add, src/plugin.rs:Counted.new, :Registry.hook, src/plugin.rs:Context.run, :index
    registry.run(&mut Context::default()); // calls :Registry.run
    if let Some(upper) = any.downcast_ref::<Upper>() {
        upper.name(); // calls src/plugin.rs:Upper.name (missed)
    }
    list.iter().map(|plugin| plugin.name()).count(); // calls src/plugin.rs:Plugin.name
    list.into_iter().for_each(|plugin| { plugin.boxed(); }); // calls src/plugin.rs:Plugin.boxed
}
