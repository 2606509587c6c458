local util = require("util")
local text = require("lib.text")
local shout = require("lib.text").shout
local lib = require "lib"

util.trim("a") -- calls util.lua:M.trim
util.both("a") -- calls util.lua:M.both
text.upper("b") -- calls lib/text.lua:upper
shout("c") -- calls lib/text.lua:shout
lib.start() -- calls lib/init.lua:lib.start
lib.text.upper("d") -- calls lib/text.lua:upper (missed)
require("util").trim("e") -- calls util.lua:M.trim
local trim = util.trim
trim("f") -- calls util.lua:M.trim

local function late()
  local again = require("util")
  return again.both("g") -- calls util.lua:M.both
end

late() -- calls :late
local single = require("single")
single("h") -- calls single.lua:run (missed)
