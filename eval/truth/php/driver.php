<?php
// Runs a program with the classes that its composer.json names, and writes at its end what reflection knows of its
// functions: `driver.php ROOT MAIN OUT`.

[, $root, $main, $out] = $argv;
register_shutdown_function(function () use ($root, $out) {
    file_put_contents($out, json_encode(knowledge($root)));
});

/** Functions by the names of the trace, classes, and for each method the methods that it overrides. */
function knowledge(string $root): array
{
    $types = [...get_declared_classes(), ...get_declared_interfaces(), ...get_declared_traits()];
    $types = array_map(fn ($name) => new ReflectionClass($name), $types);
    $types = array_filter($types, fn ($type) => str_starts_with((string) $type->getFileName(), "$root/"));
    $functions = $above = $classes = $generators = [];
    foreach (get_defined_functions()['user'] as $name) {
        $function = new ReflectionFunction($name);
        $place = place($function, $types, $root);
        if ($place !== null) {
            $functions[strtolower($function->getName())] = $place;
            if ($function->isGenerator()) {
                $generators[] = $place;
            }
        }
    }
    foreach ($types as $type) {
        if (!$type->isAnonymous()) {
            $classes[] = substr($type->getFileName(), strlen($root) + 1) . ':' . $type->getShortName();
        }
        foreach ($type->getMethods() as $method) {
            $place = place($method, $types, $root);
            if ($place === null) {
                continue;
            }
            foreach (['->', '::'] as $sign) {
                $functions[strtolower(traced_name($type) . $sign . $method->getName())] ??= $place;
            }
            $above[$place] = array_unique([...($above[$place] ?? []), ...overridden($method, $type, $types, $root)]);
        }
    }
    return ['functions' => $functions, 'above' => $above, 'classes' => $classes, 'generators' => $generators];
}

/** The name of a class in a trace. */
function traced_name(ReflectionClass $type): string
{
    if (!$type->isAnonymous()) {
        return $type->getName();
    }
    return sprintf('{anonymous-class:%s:%d-%d}', $type->getFileName(), $type->getStartLine(), $type->getEndLine());
}

/** The file and the name of a function, with the class or trait in whose text it stands. */
function place(ReflectionFunctionAbstract $function, array $types, string $root): ?string
{
    $file = (string) $function->getFileName();
    if (!str_starts_with($file, "$root/")) {
        return null;
    }
    $line = $function->getStartLine();
    $around = null;
    if ($function instanceof ReflectionMethod) {
        foreach ($types as $type) {
            $holds = $type->getFileName() === $file && $type->getStartLine() <= $line && $line <= $type->getEndLine();
            if ($holds && ($around === null || $type->getStartLine() >= $around->getStartLine())) {
                $named = $type->hasMethod($function->getName());
                $around = $named || $around === null ? $type : $around;
            }
        }
    }
    $name = original_name($function, $around);
    $owner = $around === null || $around->isAnonymous() ? '' : $around->getShortName() . '.';
    return substr($file, strlen($root) + 1) . ":$owner$name";
}

/** The name in the text: a class may have the method of a trait under another name. */
function original_name(ReflectionFunctionAbstract $function, ?ReflectionClass $around): string
{
    foreach ($around?->getMethods() ?? [] as $method) {
        if ($method->getFileName() === $function->getFileName()
            && $method->getStartLine() === $function->getStartLine()
            && $method->getEndLine() === $function->getEndLine()
            && !$around->hasMethod($function->getShortName())
        ) {
            return $method->getName();
        }
    }
    return $function->getShortName();
}

/** The methods above one that a call may be bound to. */
function overridden(ReflectionMethod $method, ReflectionClass $type, array $types, string $root): array
{
    $found = [];
    $parents = [...$type->getInterfaces(), ...$type->getTraits()];
    for ($parent = $type->getParentClass(); $parent; $parent = $parent->getParentClass()) {
        array_push($parents, $parent, ...$parent->getTraits());
    }
    foreach ($parents as $parent) {
        if ($parent->hasMethod($method->getName())) {
            $found[] = place($parent->getMethod($method->getName()), $types, $root);
        }
    }
    return array_values(array_filter($found));
}

$manifest = is_file("$root/composer.json") ? json_decode(file_get_contents("$root/composer.json"), true) : [];
spl_autoload_register(function (string $class) use ($root, $manifest) {
    foreach (['autoload', 'autoload-dev'] as $section) {
        foreach ($manifest[$section]['psr-4'] ?? [] as $prefix => $folder) {
            if (str_starts_with($class, $prefix)) {
                $path = "$root/$folder" . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
                if (is_file($path)) {
                    require $path;
                    return;
                }
            }
        }
    }
});
foreach ($manifest['autoload']['files'] ?? [] as $file) {
    require "$root/$file";
}
require $main;
