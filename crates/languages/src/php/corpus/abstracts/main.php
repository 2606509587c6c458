<?php
abstract class Job
{
    public function run(): string { return $this->before() . $this->work(); } // calls :Job.before, :Job.work
    protected function before(): string { return 'b'; }
    abstract protected function work(): string;
}
class Print_ extends Job { protected function work(): string { return 'p'; } }
echo (new Print_())->run(); // calls :Print_, :Job.run
