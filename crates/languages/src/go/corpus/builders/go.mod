module example.org/builders

go 1.21
