export { Cart } from "./cart";
export const version = (): string => "1";
