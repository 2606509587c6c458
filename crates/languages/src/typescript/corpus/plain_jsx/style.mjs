/**
 * @param {string} name
 * @returns {Record<string, string>}
 */
export function css(name) {
  return { name: clean(name) }; // calls :clean
}

function clean(text) {
  return text.trim();
}

export default {
  name: () => clean("list"), // calls :clean
};
