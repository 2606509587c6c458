<?php
require_once __DIR__ . '/lib/a.php';
require_once dirname(__FILE__) . '/lib/b.php';
include 'lib/c.php';
echo from_a(), from_b(), from_c(); // calls lib/a.php:from_a, lib/b.php:from_b, lib/c.php:from_c
