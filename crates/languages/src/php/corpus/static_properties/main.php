<?php
class Config
{
    private static ?Config $instance = null;
    public static $shared;
    public static function get(): Config { return self::$instance ??= new Config(); } // calls :Config
    public function value(): int { return 1; }
    public static function read(): int { return self::$instance->value() + static::$instance->value(); } // calls :Config.value
}
echo Config::get()->value(); // calls :Config.get, :Config.value
echo Config::read(); // calls :Config.read
Config::$shared = new Config(); // calls :Config
