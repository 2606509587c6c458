module example.org/defined

go 1.21
