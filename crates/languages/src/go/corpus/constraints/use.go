package constraints

type User struct{ name string }

func (u *User) ID() string               { return u.name }
func (u *User) Decode(data []byte) error { return nil }
func (u *User) String() string           { return u.ID() } // calls :User.ID
func (u *User) Save()                    {}

type Users = Repo[*User]

type Team struct {
	Repo[*User]
	byName Tree[string, []*User]
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func use(team *Team, users *Users) {
	users.Save(&User{}).Save()        // calls repo.go:Repo.Save, :User.Save
	team.Save(&User{}).String()       // calls repo.go:Repo.Save, :User.String
	user, _ := team.Find("a")         // calls repo.go:Repo.Find
	user.Save()                       // calls :User.Save
	must(users.Find("b")).Save()      // calls :must, repo.go:Repo.Find, :User.Save (missed)
	load[User](nil).Decode(nil)       // calls repo.go:load, :User.Decode (missed), repo.go:Ptr.Decode (wrong)
	found, ok := team.byName.Get("c") // calls repo.go:Tree.Get
	if ok {
		found[0].ID() // calls :User.ID
	}
	decode[*User](nil).Save() // calls repo.go:decode, :User.Save
	team.hooks[0](user).ID()  // calls :User.ID
	var hook Hook[*User] = func(u *User) *User { return u }
	hook(user).Save() // calls :User.Save
}
