<?php
// Writes what the lines of a project call while its tests run, from the function trace of Xdebug:
//
//     php -d xdebug.mode=off eval/truth/php/suite_truth.php ROOT OUT COMMAND…
//
// `COMMAND` are the arguments of php, such as `/usr/bin/phpunit --no-coverage`. Each line of OUT is a line with calls and
// one definition that it led to: file, line, file and first line of the function, its name, how often. Only calls between
// files below ROOT count. The trace is read while it is written, since that of a large suite does not fit on a disk.

[, $root, $out] = $argv;
$root = realpath($root);
$folder = sys_get_temp_dir() . '/php-suite-' . getmypid();
mkdir($folder);
posix_mkfifo("$folder/trace.xt", 0600);
$options = [
    'xdebug.mode' => 'trace', 'xdebug.start_with_request' => 'yes', 'xdebug.trace_format' => '1',
    'xdebug.output_dir' => $folder, 'xdebug.trace_output_name' => 'trace', 'xdebug.use_compression' => '0',
    'xdebug.var_display_max_data' => '0', 'xdebug.var_display_max_depth' => '0',
    'auto_prepend_file' => __DIR__ . '/known_functions.php', 'memory_limit' => '-1',
];
$command = [PHP_BINARY];
foreach ($options as $name => $value) {
    array_push($command, '-d', "$name=$value");
}
array_push($command, ...array_slice($argv, 3));
$environment = ['KNOWN_ROOT' => $root, 'KNOWN_OUT' => "$folder/known.json"] + getenv();
$process = proc_open($command, [1 => STDERR, 2 => STDERR], $pipes, $root, $environment);
$trace = fopen("$folder/trace.xt", 'r');
$calls = [];
while (($line = fgets($trace)) !== false) {
    // Level, number, entry, time, memory, function, whether it is a user's, included file, file, line.
    $parts = explode("\t", $line, 11);
    if (count($parts) < 10 || $parts[2] !== '0' || $parts[6] !== '1' || !str_starts_with($parts[8], "$root/")) {
        continue;
    }
    $key = $parts[8] . ':' . (int) $parts[9] . "\t" . $parts[5];
    $calls[$key] = ($calls[$key] ?? 0) + 1;
}
proc_close($process);
$known = json_decode(file_get_contents("$folder/known.json"), true);
array_map('unlink', glob("$folder/*"));
rmdir($folder);
$written = fopen($out, 'w');
ksort($calls);
foreach ($calls as $key => $count) {
    [$site, $function] = explode("\t", $key);
    $place = $known[strtolower($function)] ?? null;
    if ($place !== null) {
        $site = str_replace(':', "\t", substr($site, strlen($root) + 1));
        fwrite($written, "$site\t$place\t$count\n");
    }
}
