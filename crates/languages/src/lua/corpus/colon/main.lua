-- Methods by colon and by dot, and objects that are one table.
local Logger = { level = 1 }

function Logger:log(text)
  return self:format(text) -- calls :Logger.format
end

function Logger.format(self, text)
  return text
end

function Logger:with(level)
  self.level = level
  return self
end

local service = {}

function service:start()
  self.logger = Logger
  self.logger:log("start") -- calls :Logger.log (missed)
  return self:run() -- calls :service.run
end

function service:run()
  local function inner()
    return self:stop() -- calls :service.stop
  end
  return inner() -- calls :service.run.inner
end

function service.stop(self)
  return Logger:with(2):log("stop") -- calls :Logger.with, :Logger.log
end

service:start() -- calls :service.start
service.run(service) -- calls :service.run
Logger:log("a") -- calls :Logger.log
Logger.log(Logger, "b") -- calls :Logger.log
local log = Logger.log
log(Logger, "c") -- calls :Logger.log
local name = "log"
Logger[name](Logger, "d") -- calls :Logger.log (missed)
