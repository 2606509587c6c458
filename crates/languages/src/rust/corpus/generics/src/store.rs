use std::collections::BTreeMap;

pub trait Entity {
    type Key: Ord + Clone;
    fn key(&self) -> Self::Key;
}

pub trait Store {
    type Item: Entity;

    fn get(&self, key: &<Self::Item as Entity>::Key) -> Option<&Self::Item>;

    fn newest(&self) -> Self::Item;

    fn has(&self, item: &Self::Item) -> bool {
        self.get(&item.key()).is_some() // calls :Store.get, :Entity.key
    }
}

pub struct Memory<E: Entity> {
    all: BTreeMap<E::Key, E>,
}

impl<E: Entity> Default for Memory<E> {
    fn default() -> Self {
        Memory { all: BTreeMap::new() }
    }
}

impl<E: Entity> Memory<E> {
    pub fn put(&mut self, entity: E) -> &mut Self {
        self.all.insert(entity.key(), entity); // calls :Entity.key
        self
    }
}

impl<E: Entity + Clone> Store for Memory<E> {
    type Item = E;

    fn get(&self, key: &E::Key) -> Option<&E> {
        self.all.get(key)
    }

    fn newest(&self) -> E {
        self.all.values().last().unwrap().clone()
    }
}

pub fn newest<S>(store: &S) -> S::Item
where
    S: Store,
{
    let item = store.newest(); // calls :Store.newest
    store.has(&item); // calls :Store.has
    item.key(); // calls :Entity.key
    item
}
