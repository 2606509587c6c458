<?php
class Oops extends RuntimeException { public function hint(): string { return 'h'; } }
class Worse extends Oops { public static function because(string $why): self { return new self($why); } }  // calls :Worse
function fail(bool $bad): void { throw $bad ? Worse::because('x') : new Oops('y'); } // calls :Worse.because, :Oops
try {
    fail(true); // calls :fail
} catch (LogicException $e) {
    echo $e->getMessage();
} catch (Oops $e) {
    echo $e->hint(), $e->getMessage(); // calls :Oops.hint
} finally {
    echo 'done';
}
