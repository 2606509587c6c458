require("setup")

greet("a") -- calls setup.lua:greet (missed)
App.start() -- calls setup.lua:App.start (missed)
App.config:read() -- calls setup.lua:App.config.read (missed)

function helper()
  return 1
end

local function use()
  helper() -- calls :helper
  return undefined_function and undefined_function()
end

use() -- calls :use
_G.helper() -- calls :helper (missed)
_G["greet"]("b") -- calls setup.lua:greet (missed)
local saved = helper
helper = function() return 2 end
saved() -- calls :helper@7
