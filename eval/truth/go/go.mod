module calltruth

go 1.19
