def part_helper = 1
