<?php
require_once dirname(__DIR__) . '/lib/a.php';
function from_b(): string { return from_a() . 'b'; } // calls lib/a.php:from_a
