local Animal = {}
Animal.__index = Animal

function Animal.new(name)
  local self = setmetatable({}, Animal)
  self.name = name
  return self
end

function Animal:speak()
  return self:sound() -- calls :Animal.sound, :Dog.sound (missed)
end

function Animal:sound()
  return "..."
end

function Animal:rename(name)
  self.name = name
  return self
end

local Dog = setmetatable({}, { __index = Animal })
Dog.__index = Dog

function Dog.new(name)
  local self = Animal.new(name) -- calls :Animal.new
  return setmetatable(self, Dog)
end

function Dog:sound()
  return "wuff"
end

function Dog:fetch()
  self:rename("fetched") -- calls :Animal.rename
  return Animal.speak(self) -- calls :Animal.speak
end

local Puppy = setmetatable({}, { __index = Dog })
Puppy.__index = Puppy

function Puppy.new()
  local self = Dog.new("puppy") -- calls :Dog.new
  setmetatable(self, Puppy)
  return self
end

function Puppy:fetch()
  return Dog.fetch(self) -- calls :Dog.fetch
end

local animal = Animal.new("a") -- calls :Animal.new
animal:speak() -- calls :Animal.speak
local dog = Dog.new("d") -- calls :Dog.new
dog:speak() -- calls :Animal.speak
dog:sound() -- calls :Dog.sound
dog:fetch() -- calls :Dog.fetch
local puppy = Puppy.new() -- calls :Puppy.new
puppy:fetch() -- calls :Puppy.fetch (missed), :Dog.fetch@35 (wrong)
puppy:sound() -- calls :Dog.sound
puppy:rename("x"):speak() -- calls :Animal.rename, :Animal.speak
