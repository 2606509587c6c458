// The picture of a layout: circles within circles on a canvas. What is small is drawn pixel by pixel, which is quicker than any
// call of the canvas and needs no graphics card; what is beyond the window or below a pixel is not looked at.

import { el, shortPath, shortened, visible } from "./dom.js";

// Radii in pixels: below the first a holder stands for its parts, below the second circles are drawn pixel by pixel.
const DOT = 1.1;
const SMALL = 8;
const MOST_LABELS = 160;
// How long after the last movement the uses are drawn, in milliseconds.
const SETTLED = 140;

// Red, green and blue of a colour, as the pixels of an image have them.
function pixel(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return (blue << 16) | (green << 8) | red;
}

// Pixels in front of what the canvas has.
class Pixels {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.canvas = new OffscreenCanvas(width, height);
    this.context = this.canvas.getContext("2d");
    this.image = new ImageData(width, height);
    this.words = new Uint32Array(this.image.data.buffer);
  }

  clear() {
    this.words.fill(0);
  }

  // A disc with soft edges. What is there stays where it is less translucent.
  disc(x, y, r, colour, opacity) {
    const { width, height, words } = this;
    const [left, right] = [Math.max(0, Math.floor(x - r)), Math.min(width - 1, Math.ceil(x + r))];
    const [top, bottom] = [Math.max(0, Math.floor(y - r)), Math.min(height - 1, Math.ceil(y + r))];
    const inner = r > 0.5 ? (r - 0.5) * (r - 0.5) : 0;
    const outer = (r + 0.5) * (r + 0.5);
    const thin = r < 0.5 ? 2 * r : 1;
    for (let line = top; line <= bottom; line += 1) {
      const dy = line + 0.5 - y;
      for (let column = left; column <= right; column += 1) {
        const dx = column + 0.5 - x;
        const squared = dx * dx + dy * dy;
        if (squared >= outer) continue;
        const cover = squared <= inner ? 1 : Math.min(1, r + 0.5 - Math.sqrt(squared));
        const alpha = (cover * thin * opacity * 255) | 0;
        const at = line * width + column;
        if (words[at] >>> 24 < alpha) words[at] = ((alpha << 24) | colour) >>> 0;
      }
    }
  }

  drawOn(context) {
    this.context.putImageData(this.image, 0, 0);
    context.drawImage(this.canvas, 0, 0);
  }
}

export class PictureStage {
  // `colours` has a colour of `paint.list` for each node; `links` says whether uses are drawn.
  constructor(place, layout, { paint, colours, links, label }) {
    Object.assign(this, { layout, paint, colours, links });
    this.pixelColours = paint.list.map(pixel);
    this.accent = pixel(paint.accent);
    this.near = new Map();
    this.canvas = el("canvas", { "aria-hidden": "true" });
    this.above = el("canvas", { "aria-hidden": "true" });
    this.stage = el("div", { class: "stage", tabindex: "0", role: "application", "aria-label": label }, this.canvas, this.above);
    place.append(this.stage);
    this.view = { x: 0, y: 0, scale: 1 };
    this.pointers = new Map();
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(this.stage);
    this.resize();
    this.listen();
  }

  end() {
    this.watch.disconnect();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.settles);
    this.ended = true;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!width || !height || (width === this.width && height === this.height)) return;
    const isFirst = !this.width;
    [this.width, this.height] = [width, height];
    this.ratio = Math.min(2, window.devicePixelRatio || 1);
    const size = [Math.round(width * this.ratio), Math.round(height * this.ratio)];
    for (const canvas of [this.canvas, this.above]) [canvas.width, canvas.height] = size;
    this.pixels = new Pixels(...size);
    if (isFirst) this.focus(0, false);
    else this.redraw();
  }

  // The scale at which a circle fills the window.
  fit(r) {
    return (Math.min(this.width, this.height) * 0.94) / (2 * r);
  }

  // Moves so that a node fills the window.
  focus(at, animated) {
    const { x, y, r } = this.layout.nodes;
    this.moveTo({ x: x[at], y: y[at], scale: this.fit(r[at]) }, animated);
  }

  moveTo(to, animated) {
    cancelAnimationFrame(this.tween);
    if (!animated || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.setView(to);
      return;
    }
    const [from, start] = [this.view, performance.now()];
    const step = (now) => {
      const part = Math.min(1, (now - start) / 320);
      const eased = part * part * (3 - 2 * part);
      const mix = (a, b) => a + (b - a) * eased;
      this.setView({ x: mix(from.x, to.x), y: mix(from.y, to.y), scale: Math.exp(mix(Math.log(from.scale), Math.log(to.scale))) });
      if (part < 1 && !this.ended) this.tween = requestAnimationFrame(step);
    };
    this.tween = requestAnimationFrame(step);
  }

  // Sets what is seen, within reason. Uses come when it has settled.
  setView(to) {
    const whole = this.fit(this.layout.nodes.r[0]);
    this.view = { x: to.x ?? this.view.x, y: to.y ?? this.view.y, scale: Math.min(Math.max(to.scale ?? this.view.scale, whole * 0.5), whole * 20_000) };
    this.isMoving = true;
    clearTimeout(this.settles);
    this.settles = setTimeout(() => {
      this.isMoving = false;
      this.redraw();
    }, SETTLED);
    this.redraw();
  }

  redraw() {
    if (this.ended || this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
      this.drawAbove();
    });
  }

  select(at, near = new Map()) {
    this.selected = at;
    this.near = near;
    this.redraw();
  }

  // From positions of the layout to pixels of the canvas.
  scale() {
    const by = this.view.scale * this.ratio;
    return { by, x: this.canvas.width / 2 - this.view.x * by, y: this.canvas.height / 2 - this.view.y * by };
  }

  colourOf(at) {
    if (at === this.selected) return [this.paint.accent, this.accent];
    const near = this.near.get(at);
    if (near) return [this.paint[near], pixel(this.paint[near])];
    const number = this.colours[at];
    return [this.paint.list[number], this.pixelColours[number]];
  }

  draw() {
    const context = this.canvas.getContext("2d");
    const { width, height } = this.canvas;
    context.clearRect(0, 0, width, height);
    this.pixels.clear();
    const { nodes, parts } = this.layout;
    const scale = this.scale();
    const small = SMALL * this.ratio;
    const labels = [];
    const open = [0];
    while (open.length) {
      const at = open.pop();
      const r = nodes.r[at] * scale.by;
      const x = scale.x + nodes.x[at] * scale.by;
      const y = scale.y + nodes.y[at] * scale.by;
      if (x + r < 0 || y + r < 0 || x - r > width || y - r > height) continue;
      const inner = parts[at];
      const [colour, packed] = this.colourOf(at);
      if (r < DOT || (inner.length === 0 && r < small)) this.pixels.disc(x, y, r, packed, 1);
      else if (r < small) this.pixels.disc(x, y, r, packed, 0.3);
      else this.drawCircle(context, at, x, y, r, colour);
      if (r >= small * 1.6) labels.push([at, x, y, r]);
      if (r >= DOT) for (let part = inner.length - 1; part >= 0; part -= 1) open.push(inner[part]);
    }
    this.drawLinks(context, scale);
    this.pixels.drawOn(context);
    this.drawLabels(context, labels);
  }

  drawCircle(context, at, x, y, r, colour) {
    const isLeaf = this.layout.parts[at].length === 0;
    const isFolder = this.layout.isFolder(at);
    context.beginPath();
    context.arc(x, y, isLeaf ? r * 0.94 : r, 0, 2 * Math.PI);
    context.globalAlpha = isLeaf ? 1 : isFolder ? 0.07 : 0.13;
    context.fillStyle = at === 0 ? this.paint.line : colour;
    context.fill();
    context.globalAlpha = 1;
    if (isLeaf) return;
    const isMarked = at === this.selected || this.near.has(at);
    context.globalAlpha = isMarked ? 1 : isFolder ? 0.55 : 0.4;
    context.strokeStyle = at === 0 ? this.paint.line : colour;
    context.lineWidth = (isMarked ? 3 : isFolder ? 1.2 : 0.8) * this.ratio;
    context.stroke();
    context.globalAlpha = 1;
  }

  // Uses between files, when nothing moves; those of what is selected always.
  drawLinks(context, scale) {
    const { nodes } = this.layout;
    const point = (at) => [scale.x + nodes.x[at] * scale.by, scale.y + nodes.y[at] * scale.by];
    const draw = (pairs, colour, opacity, width) => {
      context.beginPath();
      for (const [from, to] of pairs) {
        context.moveTo(...point(from));
        context.lineTo(...point(to));
      }
      context.globalAlpha = opacity;
      context.strokeStyle = colour;
      context.lineWidth = width * this.ratio;
      context.stroke();
      context.globalAlpha = 1;
    };
    if (this.near.size) {
      const own = [...this.near];
      for (const direction of ["edgeIn", "edgeOut"]) draw(own.filter(([, known]) => known === direction).map(([at]) => [this.selected, at]), this.paint[direction], 0.8, 1.4);
    } else if (this.links && !this.isMoving) {
      const { from, to } = this.layout.answer.links;
      draw(from.map((at, number) => [at, to[number]]), this.paint.edge, Math.max(0.05, Math.min(0.3, 90 / from.length)), 1);
    }
  }

  // Names: of what holds others at its top, of others in their middle; of two that would overlap the larger one's.
  drawLabels(context, labels) {
    const taken = [];
    const whole = Math.max(this.canvas.width, this.canvas.height);
    context.textAlign = "center";
    context.textBaseline = "middle";
    labels.sort((a, b) => b[3] - a[3]);
    for (const [at, x, y, r] of labels) {
      if (taken.length >= (this.isMoving ? MOST_LABELS / 2 : MOST_LABELS)) break;
      const isLeaf = this.layout.parts[at].length === 0;
      if (at === 0 || (!isLeaf && (r > 0.62 * whole || r < 28 * this.ratio))) continue;
      const isFolder = this.layout.isFolder(at);
      const size = this.ratio * (isFolder ? Math.min(15, 9.5 + r / this.ratio / 40) : isLeaf ? Math.max(9, Math.min(14, r / this.ratio / 3)) : 11);
      const cut = isFolder ? shortPath : shortened;
      const text = cut(visible(this.layout.nodes.name[at]), Math.floor((r * 1.9) / (size * 0.58)));
      if (text.length < Math.min(4, this.layout.nodes.name[at].length)) continue;
      context.font = `${isFolder ? "600 " : ""}${size}px ${this.paint.font}`;
      const half = context.measureText(text).width / 2 + 3 * this.ratio;
      const middle = isLeaf ? y : y - r + size * 0.3;
      const box = [x - half, middle - size * 0.75, x + half, middle + size * 0.75];
      if (taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) continue;
      taken.push(box);
      if (!isLeaf) {
        context.fillStyle = this.paint.surface;
        context.globalAlpha = 0.85;
        context.fillRect(box[0], box[1], box[2] - box[0], box[3] - box[1]);
        context.globalAlpha = 1;
      }
      context.fillStyle = isLeaf ? this.paint.onNode : this.paint.text;
      context.fillText(text, x, middle);
    }
  }

  // The name of what the pointer is over.
  drawAbove() {
    const context = this.above.getContext("2d");
    context.clearRect(0, 0, this.above.width, this.above.height);
    const at = this.hovered;
    if (!at) return;
    const scale = this.scale();
    const { nodes } = this.layout;
    const [x, y, r] = [scale.x + nodes.x[at] * scale.by, scale.y + nodes.y[at] * scale.by, nodes.r[at] * scale.by];
    context.strokeStyle = this.paint.accent;
    context.lineWidth = 2 * this.ratio;
    context.beginPath();
    context.arc(x, y, r, 0, 2 * Math.PI);
    context.stroke();
    const size = 12.5 * this.ratio;
    context.font = `600 ${size}px ${this.paint.font}`;
    context.textAlign = "left";
    context.textBaseline = "middle";
    const text = shortened(visible(nodes.name[at]), 60);
    const width = context.measureText(text).width + size;
    const left = Math.min(Math.max(4, this.pointer.x * this.ratio + size), this.above.width - width - 4);
    const top = Math.max(size, this.pointer.y * this.ratio - size * 1.4);
    context.fillStyle = this.paint.surface;
    context.lineWidth = this.ratio;
    context.beginPath();
    context.roundRect(left, top - size, width, 2 * size, 5 * this.ratio);
    context.fill();
    context.stroke();
    context.fillStyle = this.paint.text;
    context.fillText(text, left + size / 2, top);
  }

  // The innermost node at a place of the window, of those that are large enough to be seen.
  around(point) {
    const { nodes, parts } = this.layout;
    const x = this.view.x + (point.x - this.width / 2) / this.view.scale;
    const y = this.view.y + (point.y - this.height / 2) / this.view.scale;
    let at = 0;
    for (;;) {
      const isHit = (part) => Math.hypot(nodes.x[part] - x, nodes.y[part] - y) <= nodes.r[part];
      const inner = nodes.r[at] * this.view.scale < 6 ? undefined : parts[at].find(isHit);
      if (inner === undefined) return at;
      at = inner;
    }
  }

  zoom(by, around = { x: this.width / 2, y: this.height / 2 }) {
    const { x, y, scale } = this.view;
    const whole = this.fit(this.layout.nodes.r[0]);
    const next = Math.min(Math.max(scale * by, whole * 0.5), whole * 20_000);
    const [dx, dy] = [around.x - this.width / 2, around.y - this.height / 2];
    this.setView({ x: x + dx / scale - dx / next, y: y + dy / scale - dy / next, scale: next });
  }

  listen() {
    const on = (name, what, options) => this.stage.addEventListener(name, what, options);
    on("keydown", (event) => this.key(event));
    on("wheel", (event) => this.wheel(event), { passive: false });
    on("pointerdown", (event) => this.down(event));
    on("pointermove", (event) => this.move(event));
    on("pointerup", (event) => this.up(event));
    on("pointercancel", (event) => this.pointers.delete(event.pointerId));
    on("pointerleave", () => this.hover(0));
    on("dblclick", (event) => this.onOpen?.(this.around(this.pointOf(event))));
  }

  pointOf(event) {
    const box = this.stage.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    this.zoom(Math.exp((-event.deltaY * lines) / 400), this.pointOf(event));
  }

  down(event) {
    this.stage.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.pointOf(event));
    this.wasDragged = false;
  }

  move(event) {
    const point = this.pointOf(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      this.pointer = point;
      this.hover(this.around(point));
      return;
    }
    this.pointers.set(event.pointerId, point);
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const apart = (a) => Math.max(10, Math.hypot(a.x - other.x, a.y - other.y));
      this.zoom(apart(point) / apart(before), other);
    } else if (this.wasDragged || Math.hypot(point.x - before.x, point.y - before.y) > 2) {
      this.setView({ x: this.view.x - (point.x - before.x) / this.view.scale, y: this.view.y - (point.y - before.y) / this.view.scale });
    } else {
      // Too little to be meant.
      this.pointers.set(event.pointerId, before);
      return;
    }
    this.wasDragged = true;
    this.hover(0);
  }

  up(event) {
    const isClick = this.pointers.delete(event.pointerId) && !this.wasDragged && event.button === 0;
    if (isClick) this.onChoose?.(this.around(this.pointOf(event)));
  }

  hover(at) {
    if (at === this.hovered && !at) return;
    this.hovered = at;
    this.stage.style.cursor = at ? "pointer" : "grab";
    if (!this.frame) requestAnimationFrame(() => this.drawAbove());
  }

  key(event) {
    const step = 90 / this.view.scale;
    const { x, y } = this.view;
    const moves = { ArrowLeft: { x: x - step }, ArrowRight: { x: x + step }, ArrowUp: { y: y - step }, ArrowDown: { y: y + step } };
    if (event.key in moves) this.setView(moves[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.focus(0, true);
    else return;
    event.preventDefault();
  }
}
