# frozen_string_literal: true

# Prints the names that Ruby has without any source, for crates/languages/src/ruby/stdlib.txt:
#
#     ruby --disable-gems eval/truth/ruby/builtins.rb > crates/languages/src/ruby/stdlib.txt

LIBRARIES = %w[
  abbrev base64 benchmark bigdecimal cgi coverage csv date delegate digest drb English erb etc fcntl fiddle fileutils
  find forwardable getoptlong io/console ipaddr json logger matrix monitor net/http nkf objspace observer open-uri open3
  openssl optparse ostruct pathname pp prettyprint prime pstore psych racc/parser rdoc resolv ripper securerandom set
  shellwords singleton socket stringio strscan syslog tempfile time timeout tmpdir tsort un uri weakref webrick yaml zlib
].freeze

# What is there before a library is loaded: libraries add methods to all objects.
OBJECT = (Object.instance_methods + Object.private_instance_methods).sort
MODULE = (Class.instance_methods + Class.private_instance_methods + Module.instance_methods +
          Module.private_instance_methods).uniq.sort - OBJECT

LIBRARIES.each do |name|
  require name
rescue LoadError
  warn "no #{name}"
end

def section(name, words)
  puts "[#{name}]"
  line = +''
  words.each do |word|
    if line.size + word.size > 118
      puts line
      line = +''
    end
    line << ' ' unless line.empty?
    line << word.to_s
  end
  puts line
end

puts "# Classes and methods of Ruby #{RUBY_VERSION[/\d+\.\d+/]} and of the libraries that come with it."
puts '# Source: Ruby itself (Ruby licence and BSD-2-Clause), asked by eval/truth/ruby/builtins.rb'
names = Object.constants.grep(/\A[A-Z]/).reject { |name| name == :LIBRARIES || name == :OBJECT || name == :MODULE }
section('constants', names.sort)
section('object', OBJECT.grep(/\A[a-zA-Z_`!=<]/))
section('module', MODULE.grep(/\A[a-zA-Z_<]/))
puts '[ancestors]'
modules = names.sort.map { |name| Object.const_get(name) rescue nil }.grep(Module).uniq
modules.each do |mod|
  next if mod.name.nil? || mod.name.include?('::')

  above = mod.ancestors.drop(1).map(&:name).compact.reject { |n| n.include?('::') || %w[Object Kernel BasicObject PP].include?(n) }
  puts "#{mod.name}:#{above.join(',')}" unless above.empty?
end
