<?php
class Answer { public function text(): string { return 't'; } }
/**
 * @method Answer ask(string $q)
 * @property-read Answer $last
 */
class Oracle
{
    public function __call($name, $args) { return new Answer(); } // calls :Answer
    public function __get($name) { return new Answer(); } // calls :Answer
}
$o = new Oracle(); // calls :Oracle
echo $o->ask('x')->text(); // calls :Answer.text, :Oracle.__call (missed)
echo $o->last->text(); // calls :Answer.text, :Oracle.__get (missed)
