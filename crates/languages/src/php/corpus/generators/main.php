<?php
class Line { public function text(): string { return 't'; } }
function lines(): iterable { yield new Line(); } // calls :Line
/** @return Generator<int, Line> */
function more() { yield from lines(); } // calls :lines
foreach (lines() as $line) { // calls :lines
    echo $line->text(); // calls :Line.text
}
foreach (more() as $line) { // calls :more
    echo $line->text(); // calls :Line.text
}
