local function upper(s)
  return string.upper(s)
end

local function shout(s)
  return upper(s) .. "!" -- calls :upper
end

return { upper = upper, shout = shout }
