function greet(name)
  return name
end

App = { config = {} }

function App.start()
  return greet("start") -- calls :greet
end

function App.config:read()
  return self.text
end
