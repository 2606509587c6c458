def tool = 1
