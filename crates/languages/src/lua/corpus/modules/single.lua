local function run(s)
  return s
end

return run
