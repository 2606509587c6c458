exports.clean = function (path) {
  return path.replace(/\/+$/, "");
};

exports.join = (...parts) => parts.map(exports.clean).join("/");

function upper(text) {
  return exports.clean(text).toUpperCase(); // calls :clean
}

function hidden() {
  return upper("x"); // calls :upper
}

exports.text = { upper, lower: (text) => text.toLowerCase() };
exports.visible = hidden;
