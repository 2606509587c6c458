module example.org/generics

go 1.21
