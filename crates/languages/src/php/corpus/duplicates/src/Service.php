<?php
namespace App;
class Service { public function run(): string { return 'real'; } }
