<?php
// Compares the comments of programs of the PHP corpus with what runs.
//
//     php -d xdebug.mode=off eval/truth/php/corpus_truth.php crates/languages/src/php/corpus [PROGRAM…]
//
// Runs `main.php` of each program under the function trace of Xdebug. Classes are loaded by the program's composer.json.
// Prints what ran and is not written, what is written and did not run, and lines of calls that never ran. A method that
// overrides the written one counts as the written one, since a comment names what a call is bound to. A class without a
// constructor leaves no trace, so its creation is checked only by being written.

require __DIR__ . '/trace.php';

/** The targets that the comments name; what is marked as wrong is not true. */
function written(string $root): array
{
    $truth = [];
    foreach (php_files($root) as $path) {
        foreach (file("$root/$path") as $at => $line) {
            if (!preg_match('~// calls (.*)~', $line, $found)) {
                continue;
            }
            foreach (explode(',', $found[1]) as $target) {
                $target = trim($target);
                if (str_ends_with($target, '(wrong)')) {
                    continue;
                }
                $target = trim(str_replace('(missed)', '', $target));
                $target = str_starts_with($target, ':') ? $path . $target : $target;
                $truth[$path . ':' . ($at + 1)][preg_replace('/@\d+$/', '', $target)] = true;
            }
        }
    }
    return $truth;
}

[, $corpus] = $argv;
$programs = array_slice($argv, 2) ?: array_filter(scandir($corpus), fn ($name) => $name[0] !== '.');
$checked = $complaints = 0;
foreach ($programs as $program) {
    $root = realpath("$corpus/$program");
    [$ran, $known] = run_traced($root, "$root/main.php");
    $truth = written($root);
    foreach (array_unique([...array_keys($ran), ...array_keys($truth)]) as $site) {
        $here = array_keys($truth[$site] ?? []);
        $covered = [];
        foreach (array_keys($ran[$site] ?? []) as $target) {
            $accepted = array_intersect([$target, ...($known['above'][$target] ?? [])], $here);
            $covered = [...$covered, ...$accepted];
            // The trace shows where a generator goes on as a call.
            if (!$accepted && !in_array($target, $known['generators'], true)) {
                $complaints++;
                echo "$program/$site: ran and is not written: $target\n";
            }
        }
        foreach (array_diff($here, $covered) as $target) {
            if (in_array($target, $known['classes'], true)) {
                continue;
            }
            $complaints++;
            echo "$program/$site: written and did not run: $target\n";
        }
        $checked += count(array_unique($covered));
    }
}
fwrite(STDERR, "$checked targets of comments ran, $complaints differ\n");
