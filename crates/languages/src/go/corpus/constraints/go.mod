module example.org/constraints

go 1.21
