module example.org/shadowing

go 1.21
