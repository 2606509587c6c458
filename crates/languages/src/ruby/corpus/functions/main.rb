def helper(value)
  value + 1
end

def outer
  helper(1) # calls :helper
end
outer # calls :outer
helper 2 # calls :helper
puts helper(3) # calls :helper
