use std::collections::HashMap;
use std::fmt::{self, Display};
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UserId(u64);

#[derive(Clone, Default)]
pub struct Email(String);

pub struct Users(HashMap<UserId, Email>);

pub type Directory = Users;
type Pair<T> = (T, T);

impl UserId {
    pub const ROOT: UserId = UserId(0); // calls :UserId

    pub fn next(self) -> Self {
        Self(self.0 + 1) // calls :UserId
    }

    pub fn to_string(self) -> Email {
        Email::default()
    }
}

impl Email {
    pub fn len(&self) -> Part {
        Part(self.0.len()) // calls :Part
    }

    fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

pub struct Part(usize);

impl Part {
    fn get(self) -> usize {
        self.0
    }
}

impl FromStr for Email {
    type Err = fmt::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Email(text.to_string())) // calls :Email
    }
}

impl Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl AsRef<str> for Email {
    fn as_ref(&self) -> &str {
        self.as_str() // calls :Email.as_str
    }
}

impl From<u64> for UserId {
    fn from(n: u64) -> Self {
        UserId(n) // calls :UserId
    }
}

impl From<Email> for String {
    fn from(email: Email) -> String {
        email.0
    }
}

impl Users {
    pub fn get(&self, id: impl Into<UserId>) -> Option<&Email> {
        self.0.get(&id.into())
    }
}

fn swap<T>(pair: Pair<T>) -> Pair<T> {
    (pair.1, pair.0)
}

pub fn run(users: Directory) {
    users.get(3).unwrap().len().get(); // calls :Users.get, :Email.len, :Part.get
    users.0.get(&UserId::ROOT).map(|email| email.len()); // calls :Email.len
    users.0[&UserId::from(4)].as_str().len(); // calls :UserId.from, :Email.as_str
    UserId::ROOT.next().next().0.pow(2); // calls :UserId.next
    UserId(5).to_string().len(); // calls :UserId, :UserId.to_string, :Email.len
    let email: Email = "a".parse().unwrap();
    email.to_string().len();
    email.as_ref().len(); // calls :Email.as_ref
    Email::from_str("b").unwrap().len().get(); // calls :Email.from_str, :Email.len, :Part.get
    String::from(email.clone()).len(); // calls :String.from (missed)
    swap((UserId(1), UserId(2))).0.next(); // calls :swap, :UserId, :UserId.next
    "c".parse::<Email>().unwrap().as_str(); // calls :Email.as_str
    let mut ids = vec![UserId::ROOT];
    ids.iter().max().unwrap().next(); // calls :UserId.next
    ids.iter_mut().next();
    Users(HashMap::from([(ids[0].next(), email)])).get(6); // calls :Users, :UserId.next, :Users.get
}
