//! Linking of small Lua repositories.

use crate::fixture::check;

#[test]
fn functions_of_a_file_are_called_where_they_are_seen() {
    check(
        "
//- a.lua
local function one() end
local two = function() one() end
function three() two() three() end
local function outer()
  local function inner() end
  inner()
  late()
end
function late() end
inner()
print(unknown())
",
        "
a.lua:2 one -> a.lua:one@1 [scoped]
a.lua:3 two -> a.lua:two@2 [scoped]
a.lua:3 three -> a.lua:three@3 [scoped]
a.lua:6 inner -> a.lua:outer.inner@5 [scoped]
a.lua:7 late -> a.lua:late@9 [scoped]
a.lua:10 inner -> ? unknown name
a.lua:11 print -> ext lua.print
a.lua:11 unknown -> ? unknown name
",
    );
}

#[test]
fn modules_are_found_by_require() {
    check(
        "
//- lua/app/util.lua
local M = {}
function M.trim(s) return s end
function M.both(s) return M.trim(s) end
return M
//- lua/app/init.lua
local util = require(\"app.util\")
local cjson = require(\"cjson\")
util.trim(\"a\")
require(\"app.util\").both(\"b\")
util.gone()
cjson.encode(1)
//- spec/app_spec.lua
local app = require 'app'
local own = require 'app.table'
own.sum()
//- lua/app/table.lua
local function sum() end
return { sum = sum }
",
        "
lua/app/init.lua:3 trim -> lua/app/util.lua:M.trim@2 [scoped]
lua/app/init.lua:4 both -> lua/app/util.lua:M.both@3 [scoped]
lua/app/init.lua:5 gone -> ? unknown receiver type
lua/app/init.lua:6 encode -> ext cjson.encode
lua/app/util.lua:3 trim -> lua/app/util.lua:M.trim@2 [scoped]
spec/app_spec.lua:3 sum -> lua/app/table.lua:sum@1 [typed]
",
    );
}

#[test]
fn methods_are_found_on_self_and_on_what_a_constructor_makes() {
    check(
        "
//- stack.lua
local Stack = {}
Stack.__index = Stack
function Stack.new()
  local self = setmetatable({}, Stack)
  self:clear()
  return self
end
function Stack:push(x) self:clear() return x end
function Stack:clear() end
return Stack
//- use.lua
local Stack = require(\"stack\")
local s = Stack.new()
s:push(1)
s:gone()
",
        "
stack.lua:4 setmetatable -> ext lua.setmetatable
stack.lua:5 clear -> stack.lua:Stack.clear@9 [typed]
stack.lua:8 clear -> stack.lua:Stack.clear@9 [typed]
use.lua:2 new -> stack.lua:Stack.new@3 [scoped]
use.lua:3 push -> stack.lua:Stack.push@8 [typed]
use.lua:4 gone -> ? no such member
",
    );
}

#[test]
fn a_require_of_the_file_s_own_is_no_import() {
    check(
        r##"//- m.lua
local M = {}
function M.f() end
return M
//- a.lua
local m = require("m")
m.f()
//- b.lua
local function require(name) return {} end
local m = require("m")
m.f()
//- c.lua
local function load(require)
  local m = require("m")
  m.f()
end
//- e.lua
local require = require
local m = require("m")
m.f()
//- d.lua
local require = other
local m = require("m")
m.f()
"##,
        "a.lua:2 f -> m.lua:M.f@2 [scoped]
b.lua:2 require -> b.lua:require@1 [scoped]
b.lua:3 f -> ? no such member
c.lua:2 require -> ? dynamic call
c.lua:3 f -> ? unknown receiver type
d.lua:2 require -> d.lua:require@1 [scoped]
d.lua:3 f -> ? unknown receiver type
e.lua:3 f -> m.lua:M.f@2 [scoped]",
    );
}

#[test]
fn a_variable_is_what_was_assigned_to_it() {
    check(
        r##"//- a.lua
local A = {}
A.__index = A
function A.new() return setmetatable({}, A) end
function A:m() end
local B = {}
B.__index = B
function B.new() return setmetatable({}, B) end
function B:m() end
local function plain(c)
  local x = A.new()
  x:m()
  x = B.new()
  x:m()
  if c then x = A.new() end
  x:m()
end
local function loops(c)
  local x = A.new()
  while c do
    x:m()
    x = B.new()
  end
end
local function later(y)
  local x = A.new()
  local g = function() x:m() end
  local h = function(x) x = B.new() end
  x = B.new()
end
local function kept()
  local x = A.new()
  local h = function(x) x = B.new() end
  x:m()
end
local top = nil
local function set() top = A.new() end
local function get() top:m() end
"##,
        "a.lua:3 setmetatable -> ext lua.setmetatable
a.lua:7 setmetatable -> ext lua.setmetatable
a.lua:10 new -> a.lua:A.new@3 [scoped]
a.lua:11 m -> a.lua:A.m@4 [typed]
a.lua:12 new -> a.lua:B.new@7 [scoped]
a.lua:13 m -> a.lua:B.m@8 [typed]
a.lua:14 new -> a.lua:A.new@3 [scoped]
a.lua:15 m -> a.lua:A.m@4, a.lua:B.m@8 [typed]
a.lua:18 new -> a.lua:A.new@3 [scoped]
a.lua:20 m -> a.lua:A.m@4, a.lua:B.m@8 [typed]
a.lua:21 new -> a.lua:B.new@7 [scoped]
a.lua:25 new -> a.lua:A.new@3 [scoped]
a.lua:26 m -> a.lua:A.m@4, a.lua:B.m@8 [typed]
a.lua:27 new -> a.lua:B.new@7 [scoped]
a.lua:28 new -> a.lua:B.new@7 [scoped]
a.lua:31 new -> a.lua:A.new@3 [scoped]
a.lua:32 new -> a.lua:B.new@7 [scoped]
a.lua:33 m -> a.lua:A.m@4 [typed]
a.lua:36 new -> a.lua:A.new@3 [scoped]
a.lua:37 m -> a.lua:A.m@4 [typed]",
    );
}

#[test]
fn a_field_of_a_table_is_one_of_the_values_that_it_is_assigned() {
    check(
        r##"//- a.lua
local A = {}
A.__index = A
function A.new() return setmetatable({}, A) end
function A:m() end
local B = {}
B.__index = B
function B.new() return setmetatable({}, B) end
function B:m() end
local function f(c)
  local t = { x = A.new(), kept = A.new(), late = nil }
  if c then t.x = B.new() end
  t["late"] = B.new()
  t.x:m()
  t.kept:m()
  t.late:m()
end
"##,
        "a.lua:3 setmetatable -> ext lua.setmetatable
a.lua:7 setmetatable -> ext lua.setmetatable
a.lua:10 new -> a.lua:A.new@3 [scoped]
a.lua:10 new -> a.lua:A.new@3 [scoped]
a.lua:11 new -> a.lua:B.new@7 [scoped]
a.lua:12 new -> a.lua:B.new@7 [scoped]
a.lua:13 m -> a.lua:A.m@4, a.lua:B.m@8 [typed]
a.lua:14 m -> a.lua:A.m@4 [typed]
a.lua:15 m -> a.lua:B.m@8 [typed]",
    );
}

#[test]
fn a_parameter_is_what_was_assigned_to_it() {
    check(
        r##"//- a.lua
local A = {}
A.__index = A
function A:m() self:m() end
local B = {}
B.__index = B
function B.new() return setmetatable({}, B) end
function B:m() end
function A:again()
  self:m()
  self = B.new()
  self:m()
end
function A:perhaps(c)
  if c then self = B.new() end
  self:m()
end
local function given(x)
  x = x or B.new()
  x:m()
end
"##,
        "a.lua:3 m -> a.lua:A.m@3 [typed]
a.lua:6 setmetatable -> ext lua.setmetatable
a.lua:9 m -> a.lua:A.m@3 [typed]
a.lua:10 new -> a.lua:B.new@6 [scoped]
a.lua:11 m -> a.lua:B.m@7 [typed]
a.lua:14 new -> a.lua:B.new@6 [scoped]
a.lua:15 m -> a.lua:A.m@3, a.lua:B.m@7 [typed]
a.lua:18 new -> a.lua:B.new@6 [scoped]
a.lua:19 m -> a.lua:B.m@7 [typed]",
    );
}

#[test]
fn a_local_function_is_what_was_assigned_to_its_name() {
    check(
        r##"//- a.lua
local function f() end
local function g() end
local function h() end
local function plain(c)
  local v = f
  if c then
    function v() end
  end
  v()
  local function w() end
  w()
  w = g
  w()
  w = function() end
  w()
end
local function inside(c)
  local v = f
  local function change() v = g end
  v = h
  change()
  v()
end
local function element(c)
  for _, v in ipairs(c) do
    if c.x then v = f end
    v()
  end
end
local function jumped(c)
  local v = f
  ::again::
  v()
  v = g
  if c.x then goto again end
end
local function continued(c)
  local v = f
  for i = 1, 3 do
    if c.x then goto continue end
    v()
    ::continue::
  end
  v = g
end
"##,
        "a.lua:9 v -> a.lua:f@1, a.lua:plain.v@7 [typed]
a.lua:11 w -> a.lua:g@2, a.lua:plain.w@10 local function w(), a.lua:plain.w@14 w = function() [typed]
a.lua:13 w -> a.lua:g@2 [typed]
a.lua:15 w -> a.lua:plain.w@14 w = function() [typed]
a.lua:21 change -> a.lua:inside.change@19 [scoped]
a.lua:22 v -> a.lua:f@1, a.lua:g@2, a.lua:h@3 [typed]
a.lua:25 ipairs -> ext lua.ipairs
a.lua:27 v -> ? dynamic call
a.lua:33 v -> a.lua:f@1, a.lua:g@2 [typed]
a.lua:41 v -> a.lua:f@1 [typed]",
    );
}

#[test]
fn a_global_that_a_branch_defines_is_one_of_several() {
    check(
        r##"//- a.lua
function plain() return 1 end
function plain() return 2 end
function either() return 1 end
if os.getenv("X") then
  function either() return 2 end
end
local function late() plain() either() end
"##,
        "a.lua:4 getenv -> ext lua.os.getenv
a.lua:7 plain -> a.lua:plain@2 function plain() [scoped]
a.lua:7 either -> a.lua:either@3 function either(), a.lua:either@5 function either() [typed]",
    );
}
