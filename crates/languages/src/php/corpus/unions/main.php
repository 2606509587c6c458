<?php
class Red { public function paint(): string { return 'r'; } }
class Blue { public function paint(): string { return 'b'; } }
function show(Red|Blue $c): string { return $c->paint(); } // calls :Red.paint, :Blue.paint
function maybe(?Red $c): string { return $c === null ? '' : $c->paint(); } // calls :Red.paint
echo show(new Red()), show(new Blue()), maybe(new Red()); // calls :show, :maybe, :Red, :Blue
