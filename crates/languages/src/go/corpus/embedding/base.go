package embedding

import (
	"log"
	"sync"
)

type Entity struct {
	id int
}

func (e *Entity) ID() int      { return e.id }
func (e *Entity) Name() string { return "entity" }
func (e *Entity) Lock()        {}

type Audit struct {
	log []string
}

func (a *Audit) Record(s string) { a.log = append(a.log, s) }
func (a *Audit) Name() string    { return "audit" }

type User struct {
	Entity
	*Audit
	mail string
}

// Name hides the two promoted methods.
func (u *User) Name() string {
	u.Record("name")                        // calls :Audit.Record
	return u.Entity.Name() + u.Audit.Name() // calls :Entity.Name, :Audit.Name
}

type Admin struct {
	User
	level int
}

type Cache struct {
	sync.Mutex
	*log.Logger
	items map[string]*Admin
}

func (c *Cache) Get(key string) *Admin {
	c.Lock()
	defer c.Unlock()
	c.Println("get", key)
	return c.items[key]
}
