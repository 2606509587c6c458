# frozen_string_literal: true

# Compares the comments of the programs in crates/languages/src/ruby/corpus with what the programs call when they run:
#
#     ruby eval/truth/ruby/corpus_truth.rb [PROGRAM…]
#
# Programs without a `main.rb` are not run. A target is compared by its file and the last part of its name. A class
# without `initialize` leaves no trace, and lines that do not run are not judged.

require 'open3'
require 'tmpdir'

FOLDER = File.expand_path('../../../crates/languages/src/ruby/corpus', __dir__)
TRACE = File.expand_path('trace.rb', __dir__)

def comments(root)
  found = Hash.new { |all, key| all[key] = [] }
  Dir.glob('**/*.rb', base: root) do |path|
    File.readlines(File.join(root, path)).each.with_index(1) do |text, line|
      _, targets = text.split('# calls ', 2)
      next unless targets

      targets.strip.split(',').each do |target|
        target = target.strip.sub(/@\d+\z/, '')
        next if target.end_with?('(wrong)')

        target = target.delete_suffix('(missed)').strip
        file, name = target.split(':', 2)
        found[[path, line]] << [file.empty? ? path : file, name.split('.').last]
      end
    end
  end
  found
end

def run(root)
  Dir.mktmpdir do |folder|
    environment = { 'TRUTH_ROOT' => root, 'TRUTH_OUT' => "#{folder}/rows" }
    _, errors, status = Open3.capture3(environment, 'ruby', '-W0', '-r', TRACE, File.join(root, 'main.rb'), chdir: root)
    warn "#{root}: #{errors.lines.first}" unless status.success?
    rows = Dir.glob("#{folder}/rows.*").flat_map { |path| File.readlines(path, chomp: true) }
    rows.map { |row| row.split("\t") }.map { |path, line, to, _, name| [[path, line.to_i], [to, name]] }
  end
end

names = ARGV.empty? ? Dir.children(FOLDER).sort : ARGV
names.each do |name|
  root = File.join(FOLDER, name)
  next unless File.exist?(File.join(root, 'main.rb'))

  written = comments(root)
  ran = run(root)
  ran.each do |site, (file, method)|
    same = written[site].any? { |to, called| to == file && (called == method || "#{called}=" == method) }
    puts "#{name}/#{site.join(':')} runs #{file}:#{method}, which is not written" unless same
  end
  lines = ran.map(&:first).uniq
  written.each do |site, targets|
    next unless lines.include?(site)

    targets.each do |file, called|
      next if called.match?(/\A[A-Z]/)

      same = ran.any? { |at, (to, method)| at == site && to == file && [called, "#{called}="].include?(method) }
      puts "#{name}/#{site.join(':')} does not run #{file}:#{called}" unless same
    end
  end
end
