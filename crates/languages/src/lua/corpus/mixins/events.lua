local Events = {}

function Events:on(name, handler)
  self.handlers[name] = handler
  return self
end

function Events:emit(name)
  local handler = self.handlers[name]
  if handler then
    handler(self) -- calls main.lua:Window.opened (missed), main.lua:Window.closed (missed)
  end
end

return Events
