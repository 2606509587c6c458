pub struct Job {
    name: String,
    on_done: Box<dyn Fn(&Job) -> u32 + Send>,
    filter: Option<fn(&str) -> bool>,
    next: fn() -> Token,
}

pub struct Token(u32);

impl Token {
    fn value(&self) -> u32 {
        self.0
    }
}

fn step() -> u32 {
    1
}

fn token() -> Token {
    Token(step()) // calls :Token, :step
}

fn keep(name: &str) -> bool {
    name.is_empty()
}

fn counter() -> impl FnMut() -> u32 {
    let mut n = 0;
    move || {
        n += step(); // calls :step
        n
    }
}

fn retry<F>(mut task: F) -> Result<Token, ()>
where
    F: FnMut(u32) -> Result<Token, ()>,
{
    for n in 0..3 {
        if let Ok(token) = task(n) {
            token.value(); // calls :Token.value
        }
    }
    task(3)
}

fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |a| g(f(a))
}

impl Job {
    fn run(&self) -> u32 {
        (self.next)().value(); // calls :Token.value (missed), :Job.next@5 (missed), :Job.next@61 (wrong)
        if let Some(filter) = self.filter {
            filter(&self.name);
        }
        (self.on_done)(self) // calls :Job.on_done
    }

    fn next(&self) -> Option<Token> {
        None
    }

    fn filter(mut self, filter: fn(&str) -> bool) -> Self {
        self.filter = Some(filter);
        self
    }
}

pub fn main(job: Job) {
    let mut next = counter(); // calls :counter
    next();
    retry(|n| Ok(Token(n))).unwrap().value(); // calls :retry, :Token, :Token.value
    let add = |a: u32, b: u32| a + b + step(); // calls :step
    add(1, 2);
    let step = || token(); // calls :token
    step().value(); // calls :Token.value
    let job = job.filter(keep); // calls :Job.filter
    job.next().map(|t| t.value()); // calls :Job.next@61, :Token.value
    job.next().map(|Token(n)| n); // calls :Job.next@61
    compose(|n: u32| Token(n), |t: Token| t.value())(3); // calls :compose, :Token, :Token.value
    let table: [(&str, fn() -> Token); 1] = [("a", token)];
    for (_, make) in table {
        make().value(); // calls :Token.value
    }
    (|| job.run())(); // calls :Job.run, :main@87
    let handlers: Vec<Box<dyn Fn(Token) -> u32>> = vec![Box::new(|t| t.value())]; // calls :Token.value (missed)
    handlers[0](token()); // calls :token
    std::thread::spawn(move || job.run()); // calls :Job.run
}
