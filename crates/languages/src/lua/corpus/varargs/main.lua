local Point = {}
Point.__index = Point

function Point.new(x, y)
  return setmetatable({ x = x, y = y }, Point)
end

function Point:norm()
  return self.x
end

local function both()
  return Point.new(1, 2), Point.new(3, 4) -- calls :Point.new
end

local function forward(...)
  local first, second = ...
  first:norm() -- calls :Point.norm (missed)
  local packed = { ... }
  packed[2]:norm() -- calls :Point.norm (missed)
  return select(1, ...)
end

local function options(settings)
  local point = settings.point or Point.new(0, 0) -- calls :Point.new
  return point:norm() -- calls :Point.norm
end

local p, q = both() -- calls :both
p:norm() -- calls :Point.norm (missed)
q:norm() -- calls :Point.norm (missed)
forward(both()):norm() -- calls :forward, :both, :Point.norm (missed)
options({ point = p }) -- calls :options
options {} -- calls :options
local record = { start = p, finish = { at = q } }
record.start:norm() -- calls :Point.norm (missed)
record.finish.at:norm() -- calls :Point.norm (missed)
local points = {}
points[#points + 1] = Point.new(5, 6) -- calls :Point.new
points[1]:norm() -- calls :Point.norm (missed)
local ok, made = pcall(Point.new, 1, 2)
made:norm() -- calls :Point.norm (missed)
local text = ("x"):rep(3)
text:upper()
