-- Compares the comments of a program of the Lua corpus with what runs.
--
--     lua5.4 eval/truth/lua/corpus_truth.lua crates/languages/src/lua/corpus/PROGRAM
--
-- Runs `main.lua` of the program under a hook for calls. Prints what ran and is not written, and what is written and did
-- not run. A function is known by the line on which it starts, so that a line may start one function only. What the
-- standard library calls (`pcall(f)`), and what operators call, is not a call site: such a difference is to be expected.

local root = arg[1]:gsub("/$", "")
package.path = root .. "/?.lua;" .. root .. "/?/init.lua;" .. root .. "/lua/?.lua;" .. root .. "/lua/?/init.lua"
package.cpath = ""

local texts = {}
local function lines_of(path)
  if not texts[path] then
    texts[path] = {}
    for line in io.lines(path) do
      table.insert(texts[path], line)
    end
  end
  return texts[path]
end

local function path_of(source)
  local path = source:match("^@(.*)$")
  return path and path:sub(1, #root + 1) == root .. "/" and path or nil
end

-- The name of the function that starts on a line; nothing for one without a name.
local function name_of(path, line)
  local text = lines_of(path)[line] or ""
  local name = text:match("function%s+([%w_.:]+)%s*%(") or text:match("([%w_.]+)%s*=%s*function")
  return name and name:gsub(":", ".")
end

local ran = {}

local function add(path, line, callee_path, callee_line)
  local name = name_of(callee_path, callee_line)
  if name then
    local key = path:sub(#root + 2) .. ":" .. line
    ran[key] = ran[key] or {}
    ran[key][callee_path:sub(#root + 2) .. ":" .. name .. "@" .. callee_line] = true
  end
end

-- A hook of one thread. The last line of each function that runs is kept, since a tail call leaves no caller behind.
local function hook()
  local lines = {}
  return function(event)
    if event == "line" then
      local here = debug.getinfo(2, "Sl")
      local path = path_of(here.source)
      lines[math.max(#lines, 1)] = path and { path, here.currentline } or false
      return
    elseif event == "return" then
      table.remove(lines)
      return
    end
    local from = event == "tail call" and table.remove(lines)
    table.insert(lines, false)
    local callee = debug.getinfo(2, "S")
    local callee_path = path_of(callee.source)
    if not callee_path or callee.what == "main" then
      return
    end
    local caller = debug.getinfo(3, "Sl")
    local path = caller and path_of(caller.source)
    if from then
      add(from[1], from[2], callee_path, callee.linedefined)
    elseif event == "call" and path then
      add(path, caller.currentline, callee_path, callee.linedefined)
    end
  end
end

-- Hooks belong to one thread: what runs in a coroutine gets one too.
local function hooked(body)
  return function(...)
    debug.sethook(hook(), "crl")
    return body(...)
  end
end

local create, wrap = coroutine.create, coroutine.wrap
function coroutine.create(body)
  return create(hooked(body))
end
function coroutine.wrap(body)
  return wrap(hooked(body))
end

-- The truth of the comments.
local written, total = {}, 0
local function read(path)
  for number, line in ipairs(lines_of(path)) do
    local targets = line:match("%-%- calls (.*)$")
    if targets then
      local short = path:sub(#root + 2)
      local here = {}
      written[short .. ":" .. number] = here
      for target in targets:gmatch("[^,]+") do
        target = target:match("^%s*(.-)%s*$")
        if not target:find("(wrong)", 1, true) then
          target = target:gsub("%s*%(missed%)", "")
          here[target:sub(1, 1) == ":" and short .. target or target] = true
          total = total + 1
        end
      end
    end
  end
end

local files = io.popen("find '" .. root .. "' -name '*.lua' | sort")
for path in files:lines() do
  read(path)
end
files:close()

local main = assert(loadfile(root .. "/main.lua"))
local function guarded()
  debug.sethook(hook(), "crl")
  main()
  debug.sethook()
end
guarded()

local differ, report = 0, {}
local function plain(target)
  return (target:gsub("@%d+$", ""))
end
for site, targets in pairs(ran) do
  for target in pairs(targets) do
    local here = written[site] or {}
    local found = false
    for name in pairs(here) do
      found = found or name == target
      -- Names of functions in functions and tables are written whole; the hook knows the last part.
      local file, long = name:match("^(.-):(.*)$")
      local own_file, short = plain(target):match("^(.-):(.*)$")
      local line = long:match("@(%d+)$")
      local same_line = not line or line == target:match("@(%d+)$")
      if file == own_file and same_line and (long:gsub("@%d+$", "")):match("([^.]+)$") == short:match("([^.]+)$") then
        found = true
        here[name] = "ran"
      elseif name == target or name == plain(target) then
        here[name] = "ran"
      end
    end
    if not found then
      differ = differ + 1
      table.insert(report, site .. ": ran and is not written: " .. target)
    end
  end
end
for site, targets in pairs(written) do
  for target, state in pairs(targets) do
    if state ~= "ran" then
      differ = differ + 1
      table.insert(report, site .. ": written and did not run: " .. target)
    end
  end
end
table.sort(report)
for _, line in ipairs(report) do
  print(line)
end
print(total .. " targets written, " .. differ .. " differ")
