local M = {}

function M.clean(value)
  return value
end

function M.other(value)
  return M.clean(value) -- calls :M.clean
end

return M
