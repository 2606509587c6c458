module example.org/concurrency

go 1.21
