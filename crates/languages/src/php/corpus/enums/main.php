<?php
interface HasLabel { public function label(): string; }
enum Suit: string implements HasLabel
{
    case Hearts = 'H';
    case Spades = 'S';
    const Wild = self::Spades;
    public function label(): string { return strtolower($this->name); }
    public static function first(): self { return self::Hearts; }
}
echo Suit::Hearts->label(); // calls :Suit.label
echo Suit::first()->label(); // calls :Suit.first, :Suit.label
echo Suit::from('S')->label(); // calls :Suit.label
echo Suit::Wild->label(); // calls :Suit.label
foreach (Suit::cases() as $case) {
    echo $case->label(); // calls :Suit.label
}
