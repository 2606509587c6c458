module example.org/iterators

go 1.23
