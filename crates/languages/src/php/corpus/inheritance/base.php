<?php
class Animal
{
    public function speak(): string { return '...'; }
    public function breathe(): string { return 'h'; }
}
