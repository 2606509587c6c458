module.exports = {
  Store: require("./store"),
  ...require("./helpers"),
  create(root) {
    return new module.exports.Store(root); // calls lib/store.js:Store.constructor
  },
};
