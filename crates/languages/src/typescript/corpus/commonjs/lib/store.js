"use strict";

const { join } = require("path");
const helpers = require("./helpers");

class Store {
  constructor(root) {
    this.root = helpers.clean(root); // calls lib/helpers.js:clean
    this.cache = new Map();
  }

  read(name) {
    if (!this.cache.has(name)) {
      this.cache.set(name, this._load(name)); // calls :Store._load
    }
    return this.cache.get(name);
  }

  _load(name) {
    return helpers.text.upper(join(this.root, name)); // calls lib/helpers.js:upper
  }

  static open(root) {
    return new this(root); // calls :Store.constructor
  }
}

module.exports = Store;
module.exports.defaults = function defaults() {
  return { root: "." };
};
