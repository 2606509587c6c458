local function produce(n)
  for i = 1, n do
    coroutine.yield(make(i)) -- calls :make
  end
end

function make(i)
  return { i = i }
end

local function items(n)
  return coroutine.wrap(function()
    produce(n) -- calls :produce
  end)
end

local function range(n)
  local i = 0
  return function()
    i = i + 1
    if i <= n then
      return i
    end
  end
end

local function next_even(limit, at)
  if at < limit then
    return at + 2
  end
end

local function evens(limit)
  return next_even, limit, 0
end

local function pairs(t)
  return next, t, nil
end

for item in items(2) do -- calls :items
  print(item.i)
end
for i in range(3) do -- calls :range
  print(i)
end
for i in evens(4) do -- calls :evens, :next_even (missed)
  print(i)
end
for k in pairs({ 1 }) do -- calls :pairs
  print(k)
end
local co = coroutine.create(produce)
coroutine.resume(co, 1)
