local M = {}

local function strip(s)
  return s
end

function M.trim(s)
  return strip(s) -- calls :strip
end

M.both = function(s)
  return M.trim(s) -- calls :M.trim
end

return M
