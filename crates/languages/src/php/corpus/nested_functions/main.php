<?php
class K
{
    public function a(): string
    {
        $f = function () {
            return array_map(function ($x) {
                return $this->b($x); // calls :K.b
            }, [1]);
        };
        return implode($f());
    }
    private function b(int $x): string { return (string) $x; }
}
echo (new K())->a(); // calls :K, :K.a
