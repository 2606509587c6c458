<?php
class Log { public function write(string $s): void {} }
class Service
{
    public function __construct(private Log $log, protected readonly ?Log $second = null) {}
    public function run(): void
    {
        $this->log->write('a'); // calls :Log.write
        $this->second?->write('b'); // calls :Log.write
    }
}
(new Service(new Log(), new Log()))->run(); // calls :Service.__construct, :Log, :Service.run
