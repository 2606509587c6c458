local Events = require("events")

local Window = {}
Window.__index = Window

for name, method in pairs(Events) do
  Window[name] = method
end

function Window.new(title)
  local self = setmetatable({ title = title, handlers = {} }, Window)
  self:on("open", self.opened) -- calls events.lua:Events.on (missed)
  self:on("close", Window.closed) -- calls events.lua:Events.on (missed)
  return self
end

function Window:opened()
  return self.title
end

function Window.closed()
  return "closed"
end

local window = Window.new("t") -- calls :Window.new
window:emit("open") -- calls events.lua:Events.emit (missed)
window:emit("close") -- calls events.lua:Events.emit (missed)
window:opened() -- calls :Window.opened

local method = "opened"
window[method](window) -- calls :Window.opened (missed)
