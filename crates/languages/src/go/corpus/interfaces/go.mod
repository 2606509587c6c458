module example.org/interfaces

go 1.21
