import { type Cart, discount } from "../cart";

export function apply(cart: Cart): number {
  return cart.total() - discount(cart); // calls packages/core/src/cart.ts:Cart.total, packages/core/src/cart.ts:discount
}
