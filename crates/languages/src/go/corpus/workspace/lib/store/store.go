package store

type Store struct{}

func Open() *Store { return &Store{} }

func (s *Store) Put(key string) {}
