local helpers = require("helpers")
local clean = helpers.clean

local function load(path)
  return clean(path) -- calls helpers.lua:M.clean
end

local function parameter(clean)
  return clean(1)
end

local function block()
  if true then
    local clean = helpers.other
    clean(1) -- calls helpers.lua:M.other
  end
  clean(2) -- calls helpers.lua:M.clean
  for clean = 1, 2 do
    print(clean)
  end
  clean(3) -- calls helpers.lua:M.clean
  local helpers = { clean = tostring }
  helpers.clean(4)
end

local function before()
  return later and later()
end

local later = function()
  return 1
end

local print = helpers.other

load("a") -- calls :load@4
parameter(tostring) -- calls :parameter
block() -- calls :block
function later_global() return 2 end
before() -- calls :before
later() -- calls :later
print("x") -- calls helpers.lua:M.other
_G.print("y")
later_global() -- calls :later_global
local function load(path)
  return helpers.other(path) -- calls helpers.lua:M.other
end
load("b") -- calls :load@45
local string = { upper = load }
string.upper("c") -- calls :load@45
while true do
  local load = helpers.clean
  load("d") -- calls helpers.lua:M.clean
  break
end
repeat
  local done = load("e") -- calls :load@45
until done
goto finish
::finish::
