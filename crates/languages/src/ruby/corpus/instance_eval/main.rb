class Config
  def set(name) = name

  def self.load(&block)
    new.instance_eval(&block) # calls :Config
  end
end

class Other
  def set(name) = name
end
Config.load do # calls :Config.load
  set(:a) # calls :Config.set (missed)
end
Config.new.instance_eval do # calls :Config
  set(:b) # calls :Config.set (missed)
end
