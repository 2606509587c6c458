<?php
namespace First {
    class Same { public function m(): string { return '1'; } }
    function run(): string { return (new Same())->m(); } // calls :Same@3, :Same.m@3
}
namespace Second {
    class Same { public function m(): string { return '2'; } }
    function run(): string { return (new Same())->m(); } // calls :Same@7, :Same.m@7
}
namespace {
    echo \First\run(), Second\run(); // calls :run@4, :run@8
}
