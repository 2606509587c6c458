task :build do
  compile # calls :compile
end

def compile = 1
