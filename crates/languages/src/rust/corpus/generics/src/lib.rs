pub mod store;

use std::collections::HashMap;
use std::marker::PhantomData;
use store::{Entity, Memory, Store};

#[derive(Clone, Default)]
pub struct User {
    name: String,
}

impl User {
    pub fn rename(&mut self, name: &str) -> &mut Self {
        self.name = name.to_owned();
        self
    }

    fn account(&self) -> Account {
        Account
    }
}

pub struct Account;

impl Account {
    fn close(self) {}
    fn rename(&self) {}
}

impl Entity for User {
    type Key = String;
    fn key(&self) -> String {
        self.name.clone()
    }
}

pub struct Typed<T> {
    id: u32,
    of: PhantomData<T>,
}

impl<T: Default> Typed<T> {
    pub fn new(id: u32) -> Self {
        Typed { id, of: PhantomData }
    }

    pub fn load(&self) -> T {
        T::default()
    }
}

impl Typed<Account> {
    fn close(&self) -> u32 {
        self.id
    }
}

fn first<T: Clone>(items: &[T]) -> T {
    items[0].clone()
}

fn apply<A, B>(value: A, with: impl FnOnce(A) -> B) -> B {
    with(value)
}

pub fn run(users: &mut Vec<User>, by_name: HashMap<String, Vec<User>>) {
    first(users).rename("a"); // calls :first, :User.rename
    first::<User>(users).account().close(); // calls :first, :User.account, :Account.close
    apply(first(users), |user| user.account()).close(); // calls :apply, :first, :User.account, :Account.close
    apply(&users[0], User::account).close(); // calls :apply, :Account.close
    by_name["a"][0].account().rename(); // calls :User.account, :Account.rename
    users.last_mut().unwrap().rename("b").rename("c"); // calls :User.rename
    Typed::<User>::new(1).load().rename("d"); // calls :Typed.new, :Typed.load, :User.rename
    let typed: Typed<Account> = Typed { id: 1, of: PhantomData };
    typed.close(); // calls :Typed.close
    let mut memory = Memory::<User>::default(); // calls src/store.rs:Memory.default
    memory.put(first(users)).put(User::default()); // calls src/store.rs:Memory.put, :first
    memory.get(&"a".to_owned()).unwrap().account(); // calls src/store.rs:Memory.get, :User.account
    for (_, mut group) in by_name {
        group.remove(0).rename("e"); // calls :User.rename
        group.iter_mut().for_each(|user| { user.rename("f"); }); // calls :User.rename
    }
    store::newest(&memory).account(); // calls src/store.rs:newest, :User.account (missed)
}
