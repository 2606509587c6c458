<?php
class Base
{
    public function io(): string { return 'io'; }
    public function name(): string { return 'base'; }
}
trait Talks
{
    abstract public function name(): string;
    public function talk(): string { return $this->io() . $this->name(); } // calls :Base.io, :Talks.name
}
class Command extends Base { use Talks; }
interface Speaker { public function talk(): string; }
class Radio extends Base implements Speaker { use Talks; }
function hear(Speaker $s): string { return $s->talk(); } // calls :Speaker.talk
echo (new Command())->talk(), hear(new Radio()); // calls :Command, :Talks.talk, :hear, :Radio
