<?php
class Proxy
{
    private array $calls = [];
    public function __call(string $name, array $args): string { return $name; }
    public static function __callStatic(string $name, array $args): string { return $name; }
    public function __get(string $name): int { return 1; }
    public function real(): string { return 'r'; }
}
class Other { public function ghost(): string { return 'wrong'; } }
$p = new Proxy(); // calls :Proxy
echo $p->ghost(); // calls :Proxy.__call (missed)
echo Proxy::phantom(); // calls :Proxy.__callStatic (missed)
echo $p->real(), $p->count; // calls :Proxy.real, :Proxy.__get (missed)
