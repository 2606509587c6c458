module example.org/fields

go 1.21
