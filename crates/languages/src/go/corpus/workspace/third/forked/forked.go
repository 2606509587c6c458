package forked

func Open() {}
