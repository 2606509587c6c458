package embedding

type Namer interface{ Name() string }

type Counter interface {
	Namer
	Count() int
}

// Wrapped embeds an interface.
type Wrapped struct {
	Counter
	hits int
}

func (w *Wrapped) Count() int {
	w.hits++
	return w.Counter.Count() // calls :Counter.Count
}

func use(admin *Admin, cache *Cache, w *Wrapped) {
	admin.ID()               // calls base.go:Entity.ID
	admin.Name()             // calls base.go:User.Name
	admin.Record("x")        // calls base.go:Audit.Record
	admin.Lock()             // calls base.go:Entity.Lock
	admin.User.Entity.Name() // calls base.go:Entity.Name
	admin.Audit.Name()       // calls base.go:Audit.Name
	cache.Get("a").ID()      // calls base.go:Cache.Get, base.go:Entity.ID
	cache.Lock()
	cache.items["a"].Name() // calls base.go:User.Name
	w.Count()               // calls :Wrapped.Count
	w.Name()                // calls :Namer.Name
	fields := struct {
		*User
		Extra int
	}{User: &admin.User}
	fields.ID()   // calls base.go:Entity.ID
	fields.Name() // calls base.go:User.Name
}
