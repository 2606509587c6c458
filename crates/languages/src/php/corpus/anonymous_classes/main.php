<?php
abstract class Base { public function __construct(protected int $n) {} public function get(): int { return $this->n + $this->more(); } abstract protected function more(): int; } // calls :Base.more
interface Task { public function run(): string; }
$o = new class(3) extends Base { // calls :Base.__construct
    protected function more(): int { return $this->own(); } // calls :own
    private function own(): int { return 1; }
};
echo $o->get(); // calls :Base.get
function start(Task $t): string { return $t->run(); } // calls :Task.run
echo start(new class implements Task { public function run(): string { return 'r'; } }); // calls :start
