# frozen_string_literal: true

# Writes what the lines of a project call while its tests run:
#
#     TRUTH_ROOT=. TRUTH_OUT=rows.tsv RUBYOPT=-r/path/to/eval/truth/ruby/trace.rb rspec spec
#
# Each line of the output is a line with calls and one method that it led to: file, line, file and first line of the
# method, its name, and the methods that it overrides. Only calls between files below TRUTH_ROOT count. What Ruby calls by itself (`to_s` in a text, `<=>` in
# a sort, `inherited`) is left out where the line does not name it. Attributes are C functions of Ruby, so these are traced
# as well.
module Truth
  ROOT = "#{File.realpath(ENV.fetch('TRUTH_ROOT'))}/"
  ROWS = {}
  ATTRIBUTES = {}.compare_by_identity
  OWNERS = {}
  TEXTS = {}
  SENDS = /\b(?:super|send|__send__|public_send|try|call|method|define_method|instance_method)\b|\.\(/

  module_function

  def attributes_of(owner)
    names = owner.instance_methods(false) + owner.private_instance_methods(false)
    names.each_with_object({}) do |name, known|
      place = owner.instance_method(name).source_location
      known[name] = place if place && place[0].start_with?(ROOT)
    end
  rescue StandardError
    {}
  end

  def add(path, line, place, name, owner)
    return if path.nil? || !path.start_with?(ROOT)

    ROWS[[path, line, place[0], place[1], name]] = true
    OWNERS[place] ||= [owner, name]
  end

  # The methods that one overrides, nearest first.
  def above(place)
    owner, name = OWNERS[place]
    found = owner.ancestors.drop(1).map do |other|
      next unless other.method_defined?(name, false) || other.private_method_defined?(name, false)

      other.instance_method(name).source_location
    end
    found = found.compact.select { |path, _| path.start_with?(ROOT) }
    found.map { |path, line| "#{path.delete_prefix(ROOT)}:#{line}" }.join(',')
  rescue StandardError
    ''
  end

  def named?(path, line, name)
    text = (TEXTS[path] ||= File.exist?(path) ? File.readlines(path) : [])[line - 1].to_s
    return true if SENDS.match?(text)
    return text.include?('new') if name == 'initialize'
    return text.include?('[') if name.start_with?('[]')

    text.include?(name.delete_suffix('='))
  end

  def write
    File.open("#{ENV.fetch('TRUTH_OUT')}.#{Process.pid}", 'w') do |out|
      ROWS.each_key do |path, line, to, to_line, name|
        next unless named?(path, line, name.to_s)

        above = above([to, to_line])
        out.puts [path.delete_prefix(ROOT), line, to.delete_prefix(ROOT), to_line, name, above].join("\t")
      end
    end
  end
end

calls = TracePoint.new(:call) do |point|
  path = point.path
  next unless path.start_with?(Truth::ROOT)

  from = caller_locations(2, 1)&.first
  Truth.add(from.path, from.lineno, [path, point.lineno], point.callee_id, point.defined_class) if from
end

attributes = TracePoint.new(:c_call) do |point|
  path = point.path
  next unless path&.start_with?(Truth::ROOT)

  known = Truth::ATTRIBUTES[point.defined_class] ||= Truth.attributes_of(point.defined_class)
  place = known[point.method_id]
  Truth.add(path, point.lineno, place, point.method_id, point.defined_class) if place
end

owner = Process.pid
at_exit do
  calls.disable
  attributes.disable
  Truth.write if Process.pid == owner
end
calls.enable
attributes.enable unless ENV['TRUTH_ATTRIBUTES'] == 'no'
