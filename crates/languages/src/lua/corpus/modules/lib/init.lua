local lib = { text = require("lib.text") }

function lib.start()
  return lib.text.shout("x") -- calls lib/text.lua:shout (missed)
end

return lib
