#[derive(Default)]
pub struct Context {
    text: String,
}

impl Context {
    pub fn run(&self) {}
}

pub trait Plugin {
    fn name(&self) -> &str;

    fn run(&self, context: &mut Context) -> String {
        context.run(); // calls :Context.run
        self.name().to_string() // calls :Plugin.name
    }

    fn boxed(&self) -> Box<dyn Plugin> {
        Box::new(Upper)
    }
}

pub struct Upper;

impl Plugin for Upper {
    fn name(&self) -> &str {
        "upper"
    }

    fn run(&self, context: &mut Context) -> String {
        context.text.to_uppercase()
    }
}

pub struct Counted {
    count: u32,
    inner: Box<dyn Plugin>,
}

impl Counted {
    pub fn new(count: u32) -> Self {
        Counted { count, inner: Upper.boxed() } // calls :Plugin.boxed
    }
}

impl Plugin for Counted {
    fn name(&self) -> &str {
        self.inner.name() // calls :Plugin.name
    }

    fn run(&self, context: &mut Context) -> String {
        if self.count == 0 {
            return Upper.run(context); // calls :Upper.run
        }
        self.inner.run(context) // calls :Plugin.run
    }
}
