const { Animal, Bird } = require("./animal");

/**
 * @param {Bird} bird
 * @param {Animal[]} flock
 * @param {(name: string) => Animal} build
 */
function run(bird, flock, build) {
  bird.fly(1); // calls animal.js:Bird.fly
  flock[0].speak("?"); // calls animal.js:Animal.speak (missed)
  build("x").wake(); // calls animal.js:Animal.wake (missed)
}

/** @type {Map<string, Bird>} */
const byName = new Map();

/**
 * @template T
 * @param {T[]} list
 * @returns {T}
 */
function last(list) {
  return list[list.length - 1];
}

/** @typedef {{ owner: Animal, feed: () => void }} Cage */

/** @param {Cage} cage */
function visit(cage) {
  cage.owner.wake(); // calls animal.js:Animal.wake (missed)
}

const wren = new Bird("wren"); // calls animal.js:Bird
run(wren, [wren], Animal.of); // calls :run
Animal.of("cat").speak("."); // calls animal.js:Animal.of, animal.js:Animal.speak
byName.get("wren").fly(2); // calls animal.js:Bird.fly
last([wren]).fly(3); // calls :last, animal.js:Bird.fly
visit({ owner: wren, feed() {} }); // calls :visit
Animal.prototype.speak.call(wren, "!");

const speak = wren.speak.bind(wren);
speak("x"); // calls :speak
const other = { wake() {} };
other.wake(); // calls :other.wake
