const lib = require("./lib");
const Store = require("./lib/store");
const { clean, visible: shown } = require("./lib/helpers");
const { Store: Again, create } = lib;

const store = new Store("a"); // calls lib/store.js:Store.constructor
store.read("b"); // calls lib/store.js:Store.read
Store.open("c").read("d"); // calls lib/store.js:Store.open, lib/store.js:Store.read
Store.defaults(); // calls lib/store.js:defaults (missed)
clean("/"); // calls lib/helpers.js:clean
shown(); // calls lib/helpers.js:hidden
lib.clean("/"); // calls lib/helpers.js:clean
lib.create("e"); // calls lib/index.js:create
create("f").read("g"); // calls lib/index.js:create (missed), lib/store.js:Store.read, :create (wrong)
new Again("h"); // calls lib/store.js:Store.constructor (missed), :Again (wrong)
require("./lib/helpers").join("a", "b"); // calls lib/helpers.js:join

function later(name) {
  const helpers = require("./lib/helpers");
  return helpers.text.lower(name) + require("path").join(name); // calls lib/helpers.js:lower
}

if (require.main === module) {
  later("x"); // calls :later
}
