export * from "./model";
export { load as loadUser } from "./load";
export type { Options } from "./load";
export { default } from "./model";
