module example.org/errors

go 1.21
