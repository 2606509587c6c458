<?php
// Writes the names that PHP has without any source: functions, classes and constants of its own extensions.
//
//     php -d xdebug.mode=off eval/truth/php/builtins.php > crates/languages/src/php/stdlib.txt
//
// Extensions that are not loaded are not in the list. Those of debuggers are left out.

$apart = ['xdebug', 'Zend OPcache'];
$functions = $classes = $constants = $extensions = [];
foreach (get_loaded_extensions() as $name) {
    if (in_array($name, $apart, true)) {
        continue;
    }
    $extensions[] = $name;
    $extension = new ReflectionExtension($name);
    array_push($functions, ...array_map('strtolower', array_keys($extension->getFunctions())));
    array_push($classes, ...$extension->getClassNames());
    array_push($constants, ...array_keys($extension->getConstants()));
}
$constants = array_filter($constants, fn ($name) => preg_match('/^\w+$/', $name));

function lines(string $head, array $names): string
{
    $names = array_unique($names);
    sort($names, SORT_STRING);
    return "[$head]\n" . wordwrap(implode(' ', $names), 118) . "\n";
}

sort($extensions, SORT_STRING | SORT_FLAG_CASE);
echo '# Functions, classes and constants of PHP ', PHP_MAJOR_VERSION, '.', PHP_MINOR_VERSION, ".\n";
echo "# Source: PHP itself (PHP License 3.01), asked by eval/truth/php/builtins.php, with the extensions\n";
echo '# ', wordwrap(implode(' ', $extensions), 116, "\n# "), "\n";
echo lines('functions', $functions), lines('classes', $classes), lines('constants', $constants);
