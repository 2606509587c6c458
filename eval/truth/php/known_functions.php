<?php
// Writes at the end of a program where each of its functions stands: `auto_prepend_file` of suite_truth.php.

register_shutdown_function(function () {
    // Last of all, after the functions that tests register.
    register_shutdown_function(function () {
        $root = getenv('KNOWN_ROOT') . '/';
        $known = [];
        $add = function (string $key, ReflectionFunctionAbstract $function) use (&$known, $root) {
            $file = (string) $function->getFileName();
            if (str_starts_with($file, $root)) {
                $place = [substr($file, strlen($root)), $function->getStartLine(), $function->getShortName()];
                $known[strtolower($key)] ??= implode("\t", $place);
            }
        };
        foreach (get_defined_functions()['user'] as $name) {
            $add($name, new ReflectionFunction($name));
        }
        foreach ([...get_declared_classes(), ...get_declared_interfaces(), ...get_declared_traits()] as $name) {
            $type = new ReflectionClass($name);
            $shown = $type->isAnonymous()
                ? sprintf('{anonymous-class:%s:%d-%d}', $type->getFileName(), $type->getStartLine(), $type->getEndLine())
                : $name;
            foreach ($type->getMethods() as $method) {
                $add("$shown->" . $method->getName(), $method);
                $add("$shown::" . $method->getName(), $method);
            }
        }
        file_put_contents(getenv('KNOWN_OUT'), json_encode($known));
    });
});
