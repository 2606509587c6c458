export * from "./text.js";
export { default as open } from "./text.js";
export * as text from "./text.js";
