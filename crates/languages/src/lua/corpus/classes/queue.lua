local Stack = require("stack")
local Queue = { limit = 1 }

function Queue:new(limit)
  local object = { limit = limit, stack = Stack.new() } -- calls stack.lua:Stack.new
  setmetatable(object, self)
  self.__index = self
  return object
end

function Queue:add(item)
  if self:full() then -- calls :Queue.full
    return nil
  end
  self.stack:push(item) -- calls stack.lua:Stack.push (missed)
  return self
end

function Queue:full()
  return false
end

function Queue:stack_of()
  return self.stack
end

return Queue
