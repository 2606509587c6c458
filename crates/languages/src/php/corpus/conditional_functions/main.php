<?php
if (!function_exists('helper')) {
    function helper(): string { return 'h'; }
}
echo helper(); // calls :helper
function outer(): void
{
    function late(): string { return 'l'; }
}
outer(); // calls :outer
echo late(); // calls :late (missed)
