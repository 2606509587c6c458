<?php
class Tool { public function use_(): string { return 'u'; } }
function helper(): string { return 'h'; }
class Runner
{
    private function inner(): string { return 'i'; }
    public function run(): string
    {
        $f = function (Tool $t): string {
            return $t->use_() . $this->inner() . helper(); // calls :Tool.use_, :Runner.inner, :helper
        };
        return $f(new Tool()); // calls :Tool
    }
}
$tool = new Tool(); // calls :Tool
$g = function () use ($tool): string { return $tool->use_(); }; // calls :Tool.use_
$h = fn (): string => $tool->use_(); // calls :Tool.use_
echo $g(), $h(), (new Runner())->run(); // calls :Runner, :Runner.run
