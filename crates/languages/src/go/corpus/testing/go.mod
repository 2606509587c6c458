module example.org/testing

go 1.21
