require("setup")

greet("a") -- calls setup.lua:greet
App.start() -- calls setup.lua:App.start
App.config:read() -- calls setup.lua:App.config.read

function helper()
  return 1
end

local function use()
  helper() -- calls :helper
  return undefined_function and undefined_function()
end

use() -- calls :use
_G.helper() -- calls :helper
_G["greet"]("b") -- calls setup.lua:greet
local saved = helper
helper = function() return 2 end
saved() -- calls :helper@7
