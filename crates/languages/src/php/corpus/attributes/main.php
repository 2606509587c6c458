<?php
#[Attribute]
class Route { public function __construct(public string $path) {} }
class Pages
{
    #[Route('/home')]
    public function home(): string { return 'h'; }
}
echo (new Pages())->home(); // calls :Pages, :Pages.home
