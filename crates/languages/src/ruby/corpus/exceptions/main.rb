class Failure < StandardError
  def code = 1
end

class Other < StandardError
  def code = 2
end

def run
  yield
rescue Failure => e
  e.code # calls :Failure.code
rescue Other, ArgumentError => e
  e.code # calls :Other.code
rescue StandardError => e
  e.message
else
  clean # calls :clean
ensure
  clean # calls :clean
end

def clean = 1
run { raise Failure } # calls :run
run { raise Failure.new('x') } # calls :run, :Failure
