local Vector = {}
Vector.__index = Vector

Vector.__add = function(a, b)
  return Vector.new(a.x + b.x) -- calls :Vector.new
end

function Vector.__tostring(v)
  return v:show() -- calls :Vector.show (missed)
end

function Vector.new(x)
  return setmetatable({ x = x }, Vector)
end

function Vector:show()
  return "v" .. self.x
end

function Vector:__call(by)
  return self:scale(by) -- calls :Vector.scale
end

function Vector:scale(by)
  return Vector.new(self.x * by) -- calls :Vector.new
end

local Lazy = setmetatable({}, {
  __index = function(_, key)
    return function()
      return key
    end
  end,
  __call = function(class, x)
    return Vector.new(x) -- calls :Vector.new
  end,
})

local a = Vector.new(1) -- calls :Vector.new
local b = Vector.new(2) -- calls :Vector.new
local c = a + b
c:show() -- calls :Vector.show
a(3):show() -- calls :Vector.__call, :Vector.show
tostring(a)
Lazy.anything()
Lazy(4):show() -- calls :Vector.show (missed), :Lazy@28 (wrong)
rawget(Vector, "new")(5):show() -- calls :Vector.new (missed), :Vector.show (missed)
