<?php
namespace App\Tests;
class Fake { public function name(): string { return 'f'; } }
