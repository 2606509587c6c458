use Token::*;

#[derive(Debug, Clone)]
pub enum Expr {
    Number(Literal),
    Binary { left: Box<Expr>, op: Op, right: Box<Expr> },
    Call(Box<Expr>, Vec<Expr>),
    Empty,
}

#[derive(Debug, Clone)]
pub struct Literal(f64);

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Op {
    Plus,
    Minus = 4,
}

pub enum Token {
    Word(String),
    Sign(Op),
}

impl Literal {
    fn value(&self) -> f64 {
        self.0
    }
}

impl Op {
    const ALL: [Op; 2] = [Op::Plus, Op::Minus];

    fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Op::Plus => a + b,
            Op::Minus => a - b,
        }
    }

    fn name(self) -> &'static str {
        "op"
    }
}

impl Token {
    fn op(&self) -> Option<Op> {
        match *self {
            Sign(op) => Some(op),
            Word(ref word) if word.is_empty() => word.parse::<i32>().ok().and(None),
            _ => None,
        }
    }

    fn name(&self) -> String {
        match self {
            Word(word) => word.clone(),
            Sign(op) => op.name().into(), // calls :Op.name
        }
    }
}

impl Expr {
    pub fn number(value: f64) -> Self {
        Self::Number(Literal(value)) // calls :Expr.Number, :Literal
    }

    pub fn value(&self) -> f64 {
        match self {
            Expr::Number(literal) => literal.value(), // calls :Literal.value
            Self::Binary { left, op, right } => op.apply(left.value(), right.value()), // calls :Op.apply, :Expr.value
            Expr::Call(function, args) if !args.is_empty() => {
                args.iter().map(Expr::value).sum::<f64>() + function.value() // calls :Expr.value
            }
            Expr::Call(_, args) => args[0].value(), // calls :Expr.value
            Expr::Empty => 0.0,
        }
    }

    fn wrap(self) -> Expr {
        Expr::Call(Box::new(self), vec![Expr::Empty]) // calls :Expr.Call
    }

    fn args(&self) -> &[Expr] {
        if let Expr::Call(_, args) | Expr::Call(_, args) = self {
            return args;
        }
        &[]
    }
}

pub fn run(tokens: Vec<Token>) -> f64 {
    let one = Expr::number(1.0); // calls :Expr.number
    one.clone().wrap().args()[0].value(); // calls :Expr.wrap, :Expr.args, :Expr.value
    for op in Op::ALL {
        op.apply(1.0, 2.0); // calls :Op.apply
    }
    for token in &tokens {
        if let Some(op) = token.op() { // calls :Token.op
            op.name(); // calls :Op.name
        }
        token.name().len(); // calls :Token.name
    }
    let Expr::Number(literal) = &one else {
        return 0.0;
    };
    literal.value(); // calls :Literal.value
    Word(String::new()).name(); // calls :Token.Word, :Token.name
    Op::Plus.name(); // calls :Op.name
    let numbers = [1.0, 2.0].map(Expr::number);
    let binary = Expr::Binary { left: Box::new(one), op: Op::Minus, right: Box::new(numbers[0].clone()) };
    binary.value() // calls :Expr.value
}
