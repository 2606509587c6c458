// Elements made of data. Text of a repository becomes text nodes alone: nothing here parses HTML.

// The characters of `guard::text::is_hidden`; then joiners and selectors that do not stand behind a sign that is no ASCII.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|(?<![^\u0000-\u007f\u200c\u200d\ufe0e\ufe0f])[\ufe0e\ufe0f]|(?<![^\u0000-\u007f\u200c\u200d])[\u200c\u200d]/gu;

// Characters that hide or turn the direction of writing are written out, as in all other answers.
export function visible(text) {
  const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return String(text).replace(HIDDEN, (hidden) => hidden.split("").map(escape).join(""));
}

// An element: attributes are set as such, `on…` are listeners, children are elements or text.
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : visible(value));
  }
  add(element, children);
  return element;
}

export function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : visible(child));
  }
}

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, visible(value));
  }
  add(element, children);
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren();
  add(element, children);
  return element;
}

export const byId = (id) => document.getElementById(id);

export function plural(count, word, words = `${word}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? word : words}`;
}

// A colour of the style sheet.
export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export function shortened(text, most) {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

// The end of a path is what tells files apart.
export function shortPath(path, most) {
  return path.length <= most ? path : `…${path.slice(path.length - most + 1)}`;
}
