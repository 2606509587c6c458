module example.org/build

go 1.21
