module example.org/multi

go 1.21
