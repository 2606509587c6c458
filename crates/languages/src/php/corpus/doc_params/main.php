<?php
class Item { public function price(): int { return 3; } }
/**
 * @param Item $item the thing
 * @param Item[] $more
 * @return Item
 */
function dearest($item, array $more)
{
    foreach ($more as $one) {
        if ($one->price() > $item->price()) { // calls :Item.price
            return $one;
        }
    }
    return $item;
}
echo dearest(new Item(), [new Item()])->price(); // calls :dearest, :Item, :Item.price
