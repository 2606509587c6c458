module example.org/closures

go 1.21
