import { Cart, version } from "@shop/core";
import { discount } from "@shop/core/cart";
import { apply } from "@shop/core/rules/tax";
import { apply as applyAll, chain } from "lodash";

class Apple {
  price(): number {
    return 1;
  }
}

const cart = new Cart(); // calls packages/core/src/cart.ts:Cart
cart.add(new Apple()).add({ price: () => 2 }).total(); // calls packages/core/src/cart.ts:Cart.add, packages/core/src/cart.ts:Cart.total, :Apple
discount(cart); // calls packages/core/src/cart.ts:discount
apply(cart); // calls packages/core/src/rules/tax.ts:apply
applyAll(cart);
chain([cart]).map("total").add(1);
version().trim(); // calls packages/core/src/index.ts:version
