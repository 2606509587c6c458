<?php
// What a program calls, by the function trace of Xdebug and by reflection.

/** The PHP files below a folder, by their paths from it. */
function php_files(string $root): array
{
    $files = [];
    foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($root)) as $file) {
        if ($file->isFile() && $file->getExtension() === 'php') {
            $files[] = substr($file->getPathname(), strlen($root) + 1);
        }
    }
    sort($files);
    return $files;
}

/** Runs a program; for each line with calls the definitions that they led to, and what is known of definitions. */
function run_traced(string $root, string $main): array
{
    $folder = sys_get_temp_dir() . '/php-truth-' . getmypid();
    @mkdir($folder);
    $options = [
        'xdebug.mode' => 'trace', 'xdebug.start_with_request' => 'yes', 'xdebug.trace_format' => '1',
        'xdebug.output_dir' => $folder, 'xdebug.trace_output_name' => 'trace', 'xdebug.use_compression' => '0',
        'display_errors' => 'stderr', 'zend.assertions' => '1',
    ];
    $command = [PHP_BINARY];
    foreach ($options as $name => $value) {
        array_push($command, '-d', "$name=$value");
    }
    array_push($command, __DIR__ . '/driver.php', $root, $main, "$folder/known.json");
    $process = proc_open($command, [1 => ['file', '/dev/null', 'w'], 2 => STDERR], $pipes);
    if (proc_close($process) !== 0) {
        fwrite(STDERR, "$main did not end well\n");
    }
    $known = json_decode(file_get_contents("$folder/known.json"), true);
    $ran = read_trace("$folder/trace.xt", $root, $known);
    array_map('unlink', glob("$folder/*"));
    rmdir($folder);
    return [$ran, $known];
}

/** The calls of a trace that lead to definitions below the root, by their lines. */
function read_trace(string $path, string $root, array $known): array
{
    $ran = [];
    $trace = fopen($path, 'r');
    while (($line = fgets($trace)) !== false) {
        // Level, number, entry, time, memory, function, whether it is a user's, included file, file, line.
        $parts = explode("\t", $line);
        if (count($parts) < 10 || $parts[2] !== '0' || $parts[6] !== '1') {
            continue;
        }
        $target = $known['functions'][strtolower($parts[5])] ?? null;
        if ($target === null || !str_starts_with($parts[8], "$root/")) {
            continue;
        }
        $site = substr($parts[8], strlen($root) + 1) . ':' . (int) $parts[9];
        $ran[$site][$target] = true;
    }
    return $ran;
}
