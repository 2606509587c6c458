package defined

import "time"

type Level int

const (
	Low Level = iota
	High
)

func (l Level) String() string { return "level" }

var zero Celsius

var handlers = []Handler{HandlerFunc(find)} // calls types.go:HandlerFunc (wrong)

func find(name string) *User { return nil }

func use(table Table) {
	Celsius(3).Fahrenheit().Celsius() // calls types.go:Celsius.Fahrenheit, types.go:Fahrenheit.Celsius, types.go:Celsius (wrong)
	zero.Fahrenheit()                 // calls types.go:Celsius.Fahrenheit
	var d Degree = 4
	d.Fahrenheit()                // calls types.go:Celsius.Fahrenheit
	table.Get("a").Sorted().Len() // calls types.go:Table.Get, types.go:Users.Sorted, types.go:Users.Len
	table["a"][0].Len()           // calls types.go:User.Len
	for _, users := range table {
		users.Len() // calls types.go:Users.Len
		for _, user := range users {
			user.Len() // calls types.go:User.Len
		}
	}
	HandlerFunc(find).Serve("a").Len() // calls types.go:HandlerFunc.Serve, types.go:User.Len, types.go:HandlerFunc (wrong)
	handlers[0].Serve("b").Len()       // calls types.go:Handler.Serve, types.go:User.Len
	var f HandlerFunc = find
	f("c").Len()                // calls types.go:User.Len
	High.String()               // calls :Level.String
	Level(2).String()           // calls :Level.String
	Span(time.Second).Seconds() // calls types.go:Span.Seconds, types.go:Span (wrong)
	time.Second.Seconds()
	Header{}.Get("a")            // calls types.go:Header.Get
	[]Celsius{1}[0].Fahrenheit() // calls types.go:Celsius.Fahrenheit
	Users(nil).Sorted()          // calls types.go:Users.Sorted, types.go:Users (wrong)
	(*User)(nil).Len()           // calls types.go:User.Len
}
