module example.org/packages

go 1.21
