// The panel: totals, problems of the tags, the legend, the parts of a cut, and their graph.

const FEW_PARTS = 6; // whose figures are shown at once
const side = document.getElementById("side");
const rows = []; // [tag, element] of everything that shows a tag

function section(title, parent = side) {
  const element = html("section", "", undefined, parent);
  if (title) html("h2", "", title, element);
  return element;
}

/// Highlights the boxes of a tag; undefined: of none.
function chooseTag(tag) {
  scene.tag = scene.tag === tag ? undefined : tag;
  for (const [of, element] of rows) {
    element.classList.toggle("chosen", of === scene.tag);
    if (element.hasAttribute("aria-pressed")) element.setAttribute("aria-pressed", String(of === scene.tag));
  }
  showPicked();
  if (scene.tag !== undefined) say("Highlighted " + (scene.tag < 0 ? "untagged" : model.tags[scene.tag].name));
}

/// A square in the color of a tag.
function swatch(tag, parent) {
  const image = svg("svg", { class: "swatch", viewBox: "0 0 12 12", "aria-hidden": "true" }, parent);
  svg("rect", { width: 12, height: 12, rx: 3, fill: tagFill(tag) }, image);
}

function tagRow(tag, parent, name, figures) {
  const button = html("button", "tag", undefined, parent);
  button.type = "button";
  button.setAttribute("aria-pressed", "false");
  swatch(tag, button);
  html("span", "name", name, button).title = name;
  if (tag >= 0) html("span", "code", model.tags[tag].code, button);
  html("span", "figure", figures, button);
  button.addEventListener("click", () => chooseTag(tag));
  rows.push([tag, button]);
  return button;
}

const counted = (count, noun) => count.toLocaleString("en") + " " + noun + (count === 1 ? "" : "s");

function addLegend() {
  const hasScale = model.scale !== undefined;
  if (hasScale) addScale();
  const tags = model.tags.map((tag, i) => [tag, i]).filter(([tag]) => tag.ops > 0 || model.parts);
  if (model.parts) return addParts();
  if (tags.length === 0) return;
  const legend = section(model.groups);
  const list = html("div", "rows", undefined, legend);
  for (const [tag, i] of tags) tagRow(i, list, tag.name.replace(/^torch\.ops\./, ""), counted(tag.ops, "op"));
  if (model.untagged > 0) tagRow(-1, list, model.groups === "Tags" ? "untagged" : "other", counted(model.untagged, "op"));
}

function addScale() {
  const { scale } = model;
  const legend = section(scale.name);
  html("div", "scale", undefined, legend);
  const ends = html("div", "ends", undefined, legend);
  html("span", "", scale.low, ends);
  html("span", "", scale.high, ends);
  const marks = html("div", "marks", undefined, legend);
  const mark = (index, words) => {
    const element = html("span", "", undefined, marks);
    html("i", "", undefined, element).style.background = `var(--cost${index})`;
    element.append(words);
  };
  const steps = model.light.costs.length - 3;
  if (scale.zero) mark(steps, "0");
  if (scale.uncounted > 0) mark(steps + 1, "not counted");
  if (scale.unknown > 0) mark(steps + 2, "no value");
  html("p", "hint", scale.text, legend);
}

function addParts() {
  const list = section("Parts");
  html("p", "hint", model.cut, list);
  model.parts.forEach((part, i) => {
    const card = html("div", "part", undefined, list);
    tagRow(i, card, part.name, counted(part.ops, "op"));
    const main = part.costs.find((cost) => cost.share !== undefined);
    const details = html("details", "", undefined, card);
    details.open = model.parts.length <= FEW_PARTS;
    details.classList.toggle("few", details.open);
    html("summary", "facts", [part.weights, main?.text].filter((w) => w).join(" · "), details);
    const facts = html("dl", "facts", undefined, details);
    const fact = (name, value) => {
      if (!value) return;
      html("dt", "", name, facts);
      html("dd", "", value, facts);
    };
    fact("weights", part.weights);
    fact("memory", part.peak);
    fact("in / out", part.in + " / " + part.out);
    for (const { name, text, share } of part.costs) fact(name, text && share !== undefined ? `${text} (${Math.round(share * 100)}%)` : text);
    if (main) {
      const bar = html("div", "bar", undefined, card);
      const fill = html("i", "", undefined, bar);
      fill.style.width = Math.round(main.share * 100) + "%";
      fill.style.background = `var(--tag${i})`;
      bar.title = main.name + ": " + main.text;
    }
  });
  if (model.untagged > 0) tagRow(-1, html("div", "part", undefined, list), "untagged", counted(model.untagged, "op"));
  if (model.parts.length > 1) addDag();
  if (model.crossings.length > 0) addCrossings();
}

/// The graph of the parts.
function addDag() {
  const { dag } = model;
  const figure = section("Partition DAG");
  const [w, h] = dag.box, pad = 6;
  const picture = svg("svg", { class: "dag", role: "group", "aria-label": "Graph of the parts" }, figure);
  const labels = [];
  let left = -pad, right = dag.w + pad;
  for (const edge of dag.edges) {
    const points = writtenRoute(edge);
    if (points.length < 4) continue;
    const group = svg("g", { class: "dagedge" + (edge.backward ? " backward" : "") }, picture);
    svg("path", { d: curves(points, 0, (points.length - 1) / 3), class: "line" }, group);
    const [tip, before] = [points[points.length - 1], points[points.length - 2]];
    const up = tip.y < before.y ? 1 : -1;
    svg("path", { d: `M${word(tip)}l3.2 ${7 * up}h-6.4Z`, class: "head" }, group);
    const middle = points[Math.floor(points.length / 6) * 3], other = points[Math.ceil(points.length / 6) * 3] ?? middle;
    const [x, width] = [(middle.x + other.x) / 2, widthOf(edge.bytes, "detail") + 8];
    labels.push([x, (middle.y + other.y) / 2, edge, width]);
    left = Math.min(left, x - width / 2);
    right = Math.max(right, x + width / 2);
  }
  dag.centers.forEach(([x, y], i) => {
    const part = model.parts[i];
    const group = svg("g", { class: "dagbox", transform: `translate(${x - w / 2} ${y - h / 2})`, tabindex: "0", role: "button" }, picture);
    group.setAttribute("aria-label", part.name + ", " + counted(part.ops, "op"));
    group.setAttribute("aria-pressed", "false");
    svg("rect", { width: w, height: h, rx: 5, fill: `var(--tag${i}-tint)`, stroke: `var(--tag${i}-line)`, class: "body" }, group);
    stripe(group, w, h, tagFill(i));
    label(group, model.tags[i].code, "code", w - 8, 19, 40, "", true);
    label(group, part.name, "title", 12, 19, w - 52, "strong");
    label(group, counted(part.ops, "op") + " · " + part.weights, "detail", 12, 34, w - 20, "weak");
    group.style.setProperty("--own-text", "var(--text)");
    group.style.setProperty("--own-dim", `var(--tag${i}-dim)`);
    group.style.setProperty("--own-code", `var(--tag${i}-text)`);
    group.addEventListener("click", () => chooseTag(i));
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      chooseTag(i);
    });
    rows.push([i, group]);
  });
  picture.setAttribute("viewBox", `${number(left)} ${-pad} ${number(right - left)} ${dag.h + 2 * pad}`);
  picture.style.maxWidth = right - left + "px";
  for (const [x, y, edge, width] of labels) {
    svg("rect", { x: x - width / 2, y: y - 7.5, width, height: 14, rx: 3, class: "plate" }, picture);
    label(picture, edge.bytes, "detail", x - width / 2 + 4, y + 3, width, "weak");
  }
  for (const text of model.shared ?? []) html("p", "hint", "Shared: " + text, figure);
}

function addCrossings() {
  const list = section("Crossings");
  for (const edge of model.crossings) {
    const item = html("details", edge.backward ? "backward" : "", undefined, list);
    const line = html("summary", "", undefined, item);
    swatch(edge.from, line);
    html("span", "name", model.parts[edge.from].name + " → " + model.parts[edge.to].name, line);
    html("span", "figure", edge.bytes, line);
    const values = html("ul", "", undefined, item);
    for (const value of edge.values) html("li", "", value, values);
    if (edge.more) html("li", "", `and ${edge.more} more`, values);
  }
}

function addProblems() {
  if (!model.problems) return;
  const list = section();
  const errors = model.problems.filter(([severity]) => severity === "error").length;
  const more = model.problems.length > errors ? ", " + counted(model.problems.length - errors, "note") : "";
  const words = (errors > 0 || !model.legal ? "Cannot be split" : "Can be split") + more;
  const status = html("p", "status " + (errors > 0 || !model.legal ? "bad" : "good"), words, list);
  if (model.problems.length === 0) return;
  const details = html("details", "", undefined, list);
  details.open = errors > 0;
  list.replaceChild(details, status);
  html("summary", "", undefined, details).append(status);
  const items = html("ul", "problems", undefined, details);
  for (const [severity, text] of model.problems) html("li", severity, text, items);
}

function addNotes() {
  const noted = [];
  for (const body of model.bodies) for (const box of body.b) if (box.a && box.k === undefined) noted.push(box);
  if (noted.length === 0) return;
  const list = section("Notes");
  for (const box of noted) {
    for (const text of box.a) {
      const button = html("button", "noted", undefined, list);
      button.type = "button";
      html("b", "", textAt(box.u) || textAt(box.t), button);
      html("span", "", textAt(text), button);
      button.addEventListener("click", () => goTo(box));
    }
  }
}

function fillSide() {
  const head = section();
  html("h1", "", model.title, head).title = model.title;
  html("p", "totals", model.totals.join(" · "), head);
  addProblems();
  addLegend();
  addNotes();
  const keys = section();
  html("p", "hint", "Click a module or press Enter to open or close it. Drag to move, scroll to zoom, double-click to zoom in. "
    + "Keys: + − zoom, 0 fits, arrows move, Home resets, / finds.", keys);
}
