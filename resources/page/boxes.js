// Elements of boxes and edges. Text of the model is only ever set as text.

const SVG = "http://www.w3.org/2000/svg";
const FONTS = { title: "600 11px ", mono: "9.5px ", detail: "9.5px ", code: "700 9.5px " };
const UI = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif';
const MONO = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';
const BAND = 22; // title of a frame
const measure = document.createElement("canvas").getContext("2d");
const widths = new Map();

function svg(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  parent?.append(element);
  return element;
}

function html(name, className, text, parent) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  parent?.append(element);
  return element;
}

function widthOf(text, font) {
  const key = font + text;
  let width = widths.get(key);
  if (width === undefined) {
    measure.font = FONTS[font] + (font === "mono" ? MONO : UI);
    width = measure.measureText(text).width;
    if (widths.size > 50000) widths.clear();
    widths.set(key, width);
  }
  return width;
}

/// Shortens a text in the middle to fit.
function elided(text, font, room) {
  if (widthOf(text, font) <= room) return text;
  const letters = [...text].slice(0, 400);
  const without = (count) => {
    const keep = letters.length - count, tail = Math.ceil(keep / 2);
    return letters.slice(0, keep - tail).join("") + "…" + (tail > 0 ? letters.slice(-tail).join("") : "");
  };
  let low = 1, high = letters.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (widthOf(without(middle), font) <= room) high = middle;
    else low = middle + 1;
  }
  return low >= letters.length ? "" : without(low);
}

/// Adds a text that fits into `room`; returns its width.
function label(parent, text, font, x, y, room, className, isRight) {
  const shown = text ? elided(text, font, room) : "";
  if (!shown) return 0;
  const element = svg("text", { x, y, class: font + " " + className }, parent);
  if (isRight) element.setAttribute("text-anchor", "end");
  element.textContent = shown;
  return widthOf(shown, font);
}

const textAt = (index) => (index === undefined ? "" : model.texts[index]);

/// The name of an op, whole up to a length that can be read.
const nameOf = (box) => textAt(box.z ?? box.u).slice(0, 400);

/// The tags of a box: [[tag, share of a thousand, ops]].
const sharesOf = (box) => (box.g === undefined ? [] : typeof box.g === "number" ? [[box.g, 1000, box.o ?? 1]] : box.g);

const hasTag = (box, tag) => sharesOf(box).some((share) => share[0] === tag);

const tagFill = (tag) => (tag < 0 ? "var(--untagged)" : model.tags[tag].pattern ? `url(#pattern${tag})` : `var(--tag${tag})`);

/// The colors of a box.
function paintOf(box) {
  const isStack = box.k !== undefined;
  const plain = { fill: "var(--node)", line: isStack ? "var(--stack)" : "var(--line)", text: "var(--text)", dim: "var(--dim)" };
  if (model.scale) {
    if (box.h === undefined) return { ...plain, line: "var(--line)" };
    const name = "var(--cost" + box.h;
    return { fill: name + ")", line: name + "-line)", text: name + "-text)", dim: name + "-dim)" };
  }
  const shares = sharesOf(box);
  const tag = shares.length === 1 ? shares[0][0] : -1;
  if (tag < 0) return plain;
  const name = "var(--tag" + tag;
  if (isStack) return { ...plain, code: name + "-code)" };
  return { fill: name + "-tint)", line: name + "-line)", text: "var(--text)", dim: name + "-dim)", code: name + "-text)" };
}

function stripe(parent, w, h, fill) {
  svg("path", { d: `M5 0V${h}A5 5 0 0 1 0 ${h - 5}V5A5 5 0 0 1 5 0Z`, fill, class: "mark" }, parent);
}

function strip(parent, box, w, h) {
  const shares = sharesOf(box);
  const least = Math.min(4, w / shares.length), rest = w - least * shares.length;
  let x = 0;
  shares.forEach(([tag, share], i) => {
    const width = least + (rest * share) / 1000, isFirst = i === 0, isLast = i === shares.length - 1;
    const left = isFirst ? `M0 ${h - 5}A5 5 0 0 0 5 ${h}` : `M${x} ${h - 5}V${h}`;
    const right = isLast ? `H${w - 5}A5 5 0 0 0 ${w} ${h - 5}` : `H${x + width}V${h - 5}`;
    svg("path", { d: left + right + "Z", fill: tag < 0 ? "var(--line)" : tagFill(tag), class: "mark" }, parent);
    x += width;
  });
}

function triangle(parent, x, y, isOpen, fill) {
  svg("path", { d: isOpen ? `M${x - 3.5} ${y - 2}h7l-3.5 5Z` : `M${x - 2} ${y - 3.5}v7l5 -3.5Z`, fill }, parent);
}

/// One sentence about a box, for screen readers.
function spokenName(box) {
  const isModule = box.k !== undefined;
  const words = isModule ? [textAt(box.t), textAt(box.u)] : [nameOf(box), textAt(box.t)];
  words.push(textAt(box.d));
  if (!model.scale && model.groups === "Tags")
    for (const [tag] of sharesOf(box).slice(0, 4)) words.push(tag < 0 ? (model.tags.length > 0 ? "untagged" : "") : model.tags[tag].name);
  words.push(textAt(box.l));
  return words.filter((w) => w).join(", ");
}

/// Returns the element of a closed box.
function closedElement(box) {
  const { x, y, w, h } = box.at;
  const isStack = box.k !== undefined, paint = paintOf(box), shares = sharesOf(box);
  const group = svg("g", { class: "box", transform: `translate(${number(x)} ${number(y)})` });
  group.classList.toggle("module", isStack);
  group.classList.toggle("missing", Boolean(box.s & 1));
  group.style.setProperty("--own-text", paint.text);
  group.style.setProperty("--own-dim", paint.dim);
  group.style.setProperty("--own-code", paint.code ?? paint.dim);
  if (isStack) svg("rect", { x: 3, y: 3, width: w, height: h, rx: 5, class: "under" }, group);
  const isUnknown = box.h !== undefined && box.h > model.light.costs.length - 3;
  svg("rect", { width: w, height: h, rx: 5, fill: paint.fill, stroke: paint.line, class: isUnknown ? "body unknown" : "body" }, group);
  if (!model.scale && model.tags.length > 0) {
    const isTagged = shares.length > 1 || (shares.length === 1 && shares[0][0] >= 0);
    if (isTagged && (isStack || shares.length > 1)) strip(group, box, w, h);
    else if (isTagged) stripe(group, w, h, tagFill(shares[0][0]));
  }
  if (box.s & 2) svg("rect", { width: w, height: h, rx: 5, class: "backward" }, group);
  const content = h - (isStack ? 7 : 0), base = box.u === undefined ? content / 2 + 4 : content * 0.43;
  const title = textAt(box.t);
  const right = corner(group, box, base, w, widthOf(title, "title"));
  label(group, title, "title", 10, base, right - 10, "strong");
  if (box.u !== undefined) {
    const below = content * 0.83;
    const detail = label(group, textAt(box.d), isStack ? "detail" : "mono", w - 8, below, (w - 18) * 0.65, "weak", true);
    label(group, textAt(box.u), "mono", 10, below, w - 18 - (detail ? detail + 8 : 0), "weak");
  }
  chips(group, box, 0, 0);
  notes(group, box);
  return group;
}

/// Adds the marks at the right of the title: triangle, problem, code of the tag, cost, and number of users. Returns where they begin.
function corner(group, box, base, w, titleWidth) {
  let right = w - 8;
  if (box.m !== undefined) {
    triangle(group, right - 3, base - 4, false, "var(--own-dim)");
    right -= 12;
  }
  if (box.s & 1) {
    svg("path", { d: `M${right - 4} ${base - 8}l4 4l-4 4l-4 -4Z`, class: "problem" }, group);
    right -= 13;
  }
  const shares = sharesOf(box);
  if (shares.length === 1 && shares[0][0] >= 0) right -= label(group, model.tags[shares[0][0]].code, "code", right, base, 40, "", true) + 6;
  const left = 18 + titleWidth;
  if (box.l !== undefined && widthOf(textAt(box.l), "detail") <= right - left)
    right -= label(group, textAt(box.l), "detail", right, base, w, "strong", true) + 6;
  if (box.n !== undefined && right - left > 20) right -= label(group, textAt(box.n), "detail", right, base, right - left, box.h === undefined ? "users" : "weak", true) + 6;
  return right;
}

function chips(group, box, x, y) {
  for (const [cx, cy, w, h, text] of box.i ?? []) {
    svg("rect", { x: cx + x, y: cy + y, width: w, height: h, rx: h / 2, class: "chip" }, group);
    const shown = textAt(text), room = w - 8, width = Math.min(room, widthOf(shown, "mono"));
    label(group, shown, "mono", cx + x + w / 2 - width / 2, cy + y + h / 2 + 3.2, room, "chiptext");
  }
}

/// A sign for the notes on a box.
function notes(group, box) {
  if (!box.a || box.open) return;
  const { w } = box.at;
  svg("path", { d: `M${w - 6} -8h10l4 4v9h-14Z`, class: "note" }, group);
  svg("path", { d: `M${w - 3} -3h6m-6 3h8`, class: "noteline" }, group);
}

function frameTitleWidth(body) {
  const detail = textAt(body.d);
  return 20 + widthOf(textAt(body.t), "title") + 12 + widthOf(textAt(body.u), "mono") + (detail ? widthOf(detail, "detail") + 22 : 12);
}

/// The ground of an open module.
function frameElement(box) {
  const { x, y, w, h } = box.at;
  const group = svg("g", { class: "ground", transform: `translate(${number(x)} ${number(y)})` });
  svg("rect", { width: number(w), height: number(h), rx: 6, class: "frame", style: `fill:var(--depth${Math.min(box.depth, 5)})` }, group);
  if (model.scale && box.h !== undefined)
    svg("path", { d: `M6 0H5V${BAND - 2}H0V6A6 6 0 0 1 6 0Z`, fill: `var(--cost${box.h})` }, group);
  return group;
}

/// The title of an open module, above the edges. It closes the module.
function titleElement(box) {
  const { x, y, w } = box.at;
  const body = model.bodies[box.m];
  const group = svg("g", { class: "box title", transform: `translate(${number(x)} ${number(y)})` });
  const ground = `fill:var(--depth${Math.min(box.depth, 5)})`;
  const detail = box.l !== undefined ? textAt(box.l) : textAt(body.d);
  const detailWidth = label(group, detail, "detail", w - 10, 15, (w - 20) * 0.5, "weak", true);
  const room = w - 20 - 20 - (detailWidth ? detailWidth + 10 : 0);
  const title = elided(textAt(body.t), "title", room), width = widthOf(title, "title");
  svg("rect", { x: 4, y: 2.5, width: number(Math.min(width + 24, w - 8)), height: 17, rx: 4, class: "plate", style: ground }, group);
  triangle(group, 12, 11, true, "var(--text)");
  label(group, title, "title", 20, 15, room, "strong");
  label(group, textAt(body.u), "mono", 28 + width, 15, room - width - 16, "weak");
  chips(group, box, w - (box.c ?? box.r.slice(2))[0], 0);
  return group;
}
