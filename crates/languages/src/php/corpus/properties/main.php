<?php
class Engine { public function start(): string { return 'v'; } }
class Car
{
    private Engine $engine;
    public ?Engine $spare = null;
    public function __construct() { $this->engine = new Engine(); } // calls :Engine
    public function go(): string { return $this->engine->start(); } // calls :Engine.start
    public function late(): ?string { return $this->spare?->start(); } // calls :Engine.start
}
$car = new Car(); // calls :Car.__construct
echo $car->go(); // calls :Car.go
$car->spare = new Engine(); // calls :Engine
echo $car->late(), $car->spare->start(); // calls :Car.late, :Engine.start
