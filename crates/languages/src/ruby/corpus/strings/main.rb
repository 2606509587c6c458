def name = 'n'

def shell = 's'
text = "a #{name} b" # calls :name
more = <<~TEXT
  line #{name} # calls :name
  and #{shell} # calls :shell
TEXT
symbol = :"#{name}" # calls :name
pattern = /#{name}/ # calls :name
words = %W[#{name} x] # calls :name
