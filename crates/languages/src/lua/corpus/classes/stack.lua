local Stack = {}
Stack.__index = Stack

function Stack.new()
  local self = setmetatable({}, Stack)
  self:clear() -- calls :Stack.clear
  return self
end

function Stack:clear()
  self.items = {}
end

function Stack:push(item)
  self:grow() -- calls :Stack.grow
  table.insert(self.items, item)
  return self
end

function Stack.grow(self)
  self.size = #self.items
end

function Stack:pop()
  return table.remove(self.items)
end

return Stack
