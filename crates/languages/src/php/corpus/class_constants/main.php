<?php
class Level { const LOW = 1; const HANDLER = Handler::class; public static function max(int $a): int { return $a + self::LOW; } }
class Handler { public static function run(): string { return 'r'; } public function go(): string { return 'g'; } }
echo Level::max(Level::LOW); // calls :Level.max
$class = Level::HANDLER;
echo $class::run(), (new $class())->go(); // calls :Handler.run, :Handler, :Handler.go
