<?php
class Handler { public function __invoke(string $s): string { return $s; } }
$h = new Handler(); // calls :Handler
echo $h('x'); // calls :Handler.__invoke
class Keeper
{
    public function __construct(private Handler $handler) {}
    public function run(): string { return ($this->handler)('y'); } // calls :Handler.__invoke
}
echo (new Keeper($h))->run(); // calls :Keeper.__construct, :Keeper.run
