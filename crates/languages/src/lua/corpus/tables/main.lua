local function add(a, b)
  return a + b
end

local function sub(a, b)
  return a - b
end

local operations = { ["+"] = add, ["-"] = sub, mul = function(a, b) return a * b end }

local commands = {
  help = function()
    return "help"
  end,
  nested = {
    deep = function()
      return "deep"
    end,
  },
}

function commands.quit()
  return commands.help() -- calls :commands.help
end

commands.nested.late = function()
  return "late"
end

local function run(name)
  return operations[name](1, 2) -- calls :add (missed), :sub (missed)
end

local list = { add, sub }

operations["+"](1, 2) -- calls :add (missed)
operations.mul(1, 2) -- calls :operations.mul
commands.help() -- calls :commands.help
commands.nested.deep() -- calls :commands.nested.deep (missed)
commands.nested.late() -- calls :commands.nested.late (missed)
commands["quit"]() -- calls :commands.quit
run("+") -- calls :run
run("-") -- calls :run
for _, f in ipairs(list) do
  f(1, 2) -- calls :add (missed), :sub (missed)
end
list[2](3, 4) -- calls :sub (missed)
local chosen = operations["?"] or add
chosen(1, 2) -- calls :add
local help = commands.help
help() -- calls :commands.help
local copy = commands
copy.quit() -- calls :commands.quit
