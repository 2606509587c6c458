<?php
namespace Lib\Text;
function upper(string $s): string { return strtoupper($s); }
function lower(string $s): string { return strtolower($s); }
function both(string $s): string { return upper($s) . lower($s); } // calls :upper, :lower
