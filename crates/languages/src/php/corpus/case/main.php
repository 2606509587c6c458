<?php
class Mixed_ { public function doIt(): string { return 'd'; } public static function Make(): self { return new self(); } } // calls :Mixed_
function Helper(): string { return 'h'; }
echo helper(); // calls :Helper (missed)
echo MIXED_::make()->doit(); // calls :Mixed_.Make (missed), :Mixed_.doIt (missed)
echo STRLEN('x'), PHP_EOL;
