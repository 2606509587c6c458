module example.org/app

go 1.21

require (
	example.com/forked v1.0.0
	example.org/lib v1.2.0
)

replace example.com/forked => ../third/forked
