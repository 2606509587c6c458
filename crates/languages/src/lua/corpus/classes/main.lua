local Stack = require("stack")
local Queue = require("queue")

local stack = Stack.new() -- calls stack.lua:Stack.new
stack:push(1) -- calls stack.lua:Stack.push
stack:push(2):push(3) -- calls stack.lua:Stack.push
stack.pop(stack) -- calls stack.lua:Stack.pop
Stack.push(stack, 4) -- calls stack.lua:Stack.push

local queue = Queue:new(3) -- calls queue.lua:Queue.new
queue:add("a") -- calls queue.lua:Queue.add (missed)
queue:stack_of():push(1) -- calls queue.lua:Queue.stack_of (missed), stack.lua:Stack.push (missed)

local function fill(target)
  target:push(5) -- calls stack.lua:Stack.push (missed)
end

fill(stack) -- calls :fill
Stack.new():push(1) -- calls stack.lua:Stack.new, stack.lua:Stack.push
for _, s in ipairs({ stack, Stack.new() }) do -- calls stack.lua:Stack.new
  s:pop() -- calls stack.lua:Stack.pop
end
