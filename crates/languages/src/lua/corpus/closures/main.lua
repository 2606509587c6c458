local function step()
  return 1
end

local function counter()
  local n = 0
  local function advance()
    n = n + step() -- calls :step
    return n
  end
  return advance
end

local function apply(f, ...)
  return f(...) -- calls :step (missed), :counter.advance (missed)
end

local function compose(f, g)
  return function(x)
    return f(g(x)) -- calls :double (missed), :increment (missed)
  end
end

local function double(x)
  return x * 2
end

local function increment(x)
  return x + 1
end

local function pair()
  local function get()
    return 1
  end
  local function set(v)
    return v
  end
  return get, set
end

local tick = counter() -- calls :counter
tick() -- calls :counter.advance
counter()() -- calls :counter, :counter.advance
apply(step) -- calls :apply
apply(tick) -- calls :apply
local both = compose(double, increment) -- calls :compose
both(1) -- calls :both@47 (wrong)
local get, set = pair() -- calls :pair
set(get()) -- calls :pair.get (missed), :pair.set (missed), :get@49 (wrong), :set@49 (wrong)
table.sort({ 2, 1 }, function(a, b)
  return increment(a) < increment(b) -- calls :increment
end)
pcall(step);
(function() -- calls :@55
  step() -- calls :step
end)()
