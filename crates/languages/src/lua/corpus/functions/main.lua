local function one()
  return 1
end

local two = function()
  return one() -- calls :one
end

function three()
  return two() + late() -- calls :two, :late
end

function late()
  return 3
end

local function recursive(n)
  if n == 0 then
    return 0
  end
  return recursive(n - 1) -- calls :recursive
end

local even, odd

function even(n)
  return n == 0 or odd(n - 1) -- calls :odd
end

function odd(n)
  return n ~= 0 and even(n - 1) -- calls :even
end

local function outer()
  local function inner()
    return one() -- calls :one
  end
  local function one()
    return 2
  end
  return inner() + one() -- calls :outer.inner, :outer.one
end

three() -- calls :three
recursive(2) -- calls :recursive
even(4) -- calls :even
outer() -- calls :outer
local alias = one
alias() -- calls :one
local a, b = one, two
b() -- calls :two
a() -- calls :one
do
  local one = print
  one()
end
one() -- calls :one
local length = #tostring(one()) -- calls :one
print(two()) -- calls :two
