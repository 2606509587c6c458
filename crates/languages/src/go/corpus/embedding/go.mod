module example.org/embedding

go 1.21
