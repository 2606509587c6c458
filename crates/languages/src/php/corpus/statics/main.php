<?php
class Tool
{
    public static function make(): self { return new self(); } // calls :Tool
    public static function twice(): array { return [self::make(), static::make()]; } // calls :Tool.make
    public function run(): string { return 'r'; }
}
echo Tool::make()->run(); // calls :Tool.make, :Tool.run
Tool::twice(); // calls :Tool.twice
$name = 'Tool';
$name::make(); // calls :Tool.make (missed)
$class = Tool::class;
echo $class::make()->run(); // calls :Tool.make, :Tool.run
