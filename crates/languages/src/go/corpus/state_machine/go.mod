module example.org/state

go 1.21
