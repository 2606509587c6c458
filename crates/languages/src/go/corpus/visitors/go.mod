module example.org/visitors

go 1.21
