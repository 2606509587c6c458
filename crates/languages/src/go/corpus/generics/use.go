package generics

type User struct{ name string }

func (u User) Key() string       { return u.name }
func (u User) Rename() User      { return u }
func (u User) Account() *Account { return nil }

type Account struct{}

func (a *Account) Close()      {}
func (a *Account) Key() string { return "" }

type Number interface {
	~int | ~float64
	Key() string
}

func sum[N Number](values []N) string {
	return values[0].Key() // calls :Number.Key
}

func use(users []User, accounts map[string][]*Account) {
	list := NewList(users...)                                  // calls list.go:NewList
	list.Push(User{}).First().Rename()                         // calls list.go:List.Push, list.go:List.First, :User.Rename
	list.Each(func(u User) { u.Account().Close() })            // calls list.go:List.Each, :User.Account, :Account.Close
	Index(users)["a"].Rename()                                 // calls list.go:Index, :User.Rename
	Map(users, User.Account)[0].Close()                        // calls list.go:Map, :Account.Close
	keys := Map(users, func(u User) string { return u.Key() }) // calls list.go:Map, :User.Key
	_ = Max(len(keys), max(1, 2))                              // calls list.go:Max
	explicit := Map[User, *Account]                            // a value, no call
	explicit(users, nil)[0].Close()                            // calls :Account.Close (missed), list.go:Map (missed)
	NewList[*Account]().First().Close()                        // calls list.go:NewList, list.go:List.First, :Account.Close
	pair := Pair[string, User]{"a", users[0]}
	pair.Swap(users[1]).Value.Rename() // calls list.go:Pair.Swap, :User.Rename
	for _, found := range accounts {
		Index(found)["b"].Close() // calls list.go:Index, :Account.Close
	}
	nested := List[List[*Account]]{}
	inner := nested.First() // calls list.go:List.First
	inner.First().Close()   // calls list.go:List.First, :Account.Close
}
