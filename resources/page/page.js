// Starts the page: theme, tooltip, mouse, keys, and search.

const tip = document.getElementById("tip");
const media = window.matchMedia("(prefers-color-scheme: dark)");

function applyTheme() {
  const isDark = model.dark || media.matches;
  const style = document.documentElement.style, colors = isDark ? model.night : model.light;
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  style.colorScheme = isDark ? "dark" : "light";
  for (const name in colors) if (typeof colors[name] === "string") style.setProperty("--" + name, colors[name]);
  const parts = ["", "-text", "-tint", "-dim", "-code", "-line"];
  colors.tags.forEach((tag, i) => tag.forEach((color, j) => style.setProperty("--tag" + i + parts[j], color)));
  const places = ["", "-line", "-text", "-dim"];
  colors.costs?.forEach((step, i) => step.forEach((color, j) => style.setProperty("--cost" + i + places[j], color)));
  const steps = colors.costs?.slice(0, -3).map((step) => step[0]).join(",");
  if (steps) style.setProperty("--scale", "linear-gradient(to right, " + steps + ")");
}

/// Patterns of tags beyond the eighth, whose hues repeat.
function addPatterns() {
  const shapes = ["", "M0 6L6 0M-1 1L1 -1M5 7L7 5", "M0 0L6 6M-1 5L1 7M5 -1L7 1", "M1.5 2.5h3", "M0 3h6"];
  model.tags.forEach((tag, i) => {
    if (!tag.pattern) return;
    const defs = document.getElementById("defs");
    const pattern = svg("pattern", { id: "pattern" + i, width: 6, height: 6, patternUnits: "userSpaceOnUse" }, defs);
    svg("rect", { width: 6, height: 6, fill: `var(--tag${i})` }, pattern);
    svg("path", { d: shapes[tag.pattern], class: "shape", "stroke-width": tag.pattern > 2 ? 2.4 : 1.6 }, pattern);
  });
}

// Tooltip.

function placeOfBox(box) {
  const owner = box.body.owner;
  return owner ? textAt(owner.p) : "";
}

function tooltipLines(box) {
  const lines = [];
  const add = (text, className) => { if (text) lines.push([text, className]); };
  const isModule = box.k !== undefined;
  add(textAt(box.t), "strong");
  add(isModule ? textAt(box.u) : nameOf(box), "mono");
  add(textAt(box.d), isModule ? "" : "mono");
  if (!isModule && textAt(box.f) !== nameOf(box)) add(textAt(box.f), "mono");
  if (isModule) add(textAt(box.p) === textAt(box.t) ? "" : textAt(box.p), "mono");
  if (placeOfBox(box)) add("in " + placeOfBox(box));
  if (!isModule && box.o > 1) add(counted(box.o, "op"));
  if (!isModule && box.y !== undefined) add(textAt(box.y) + " of weights");
  if (box.q !== undefined) add(textAt(box.q) + " out");
  for (const cost of box.x ?? []) add(textAt(cost));
  const shares = sharesOf(box);
  if (model.tags.length > 0 && shares.length > 0) {
    const name = (tag) => (tag < 0 ? "untagged" : model.tags[tag].name);
    const part = ([tag, share, ops]) => `${name(tag)} ${Math.round(share / 10)}% (${counted(ops, "op")})`;
    const words = shares.length === 1 ? [name(shares[0][0])] : shares.slice(0, 6).map(part);
    if (shares.length > 6) words.push(`${shares.length - 6} more`);
    add((model.groups === "Tags" ? "tag " : "") + words.join(", "));
  }
  if (box.s & 1) add("blocks the split: it has no tag", "bad");
  if (box.s & 2) add("contains a backward edge", "bad");
  add(textAt(box.n));
  for (const note of box.a ?? []) add("Note: " + textAt(note), "noted");
  if (box.m !== undefined) add(box.open ? "click to close" : "click to open", "hint");
  return lines;
}

function edgeLines(body, edge) {
  const name = (index) => {
    const box = body.b[index];
    return !box ? "outside" : (box.k === undefined && nameOf(box)) || textAt(box.t);
  };
  const lines = [[name(edge.f) + " → " + name(edge.t), "strong"]];
  lines.push([counted(edge.v.length, "value") + (edge.y === undefined ? "" : " · " + textAt(edge.y)), ""]);
  if (edge.w) lines.push(["runs against the order of the tags", "bad"]);
  return lines;
}

function showTip(lines, x, y) {
  tip.replaceChildren();
  for (const [text, className] of lines) html("div", className, text, tip);
  tip.hidden = false;
  const { w, h } = room();
  tip.style.left = Math.max(4, Math.min(x + 14, w - tip.offsetWidth - 8)) + "px";
  tip.style.top = (y + 18 + tip.offsetHeight < h ? y + 18 : Math.max(4, y - tip.offsetHeight - 10)) + "px";
}

const hideTip = () => { tip.hidden = true; };

const boxAt = (target) => target.closest?.(".box")?.box;

/// Marks the edges of a box: those into it and those out of it.
function markEdges(box) {
  for (const element of layers.edges.children) {
    const { edge, body } = element;
    if (!edge) continue;
    element.classList.toggle("into", Boolean(box) && body.b[edge.t] === box);
    element.classList.toggle("from", Boolean(box) && body.b[edge.f] === box);
  }
}

function hover(event) {
  const box = boxAt(event.target);
  const group = event.target.closest?.(".edge");
  if (box !== scene.hovered) {
    scene.hovered = box;
    markEdges(box);
  }
  const at = canvas.getBoundingClientRect();
  const [x, y] = [event.clientX - at.left, event.clientY - at.top];
  if (box) showTip(tooltipLines(box), x, y);
  else if (group?.edge) showTip(edgeLines(group.body, group.edge), x, y);
  else hideTip();
}

// Mouse and touch.

const pointers = new Map();
let dragged = 0;

graph.addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  dragged = 0;
});
window.addEventListener("pointermove", (event) => {
  const last = pointers.get(event.pointerId);
  if (!last) {
    if (canvas.contains(event.target) && event.pointerType !== "touch") hover(event);
    return;
  }
  const others = [...pointers].filter(([id]) => id !== event.pointerId);
  const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
  dragged += Math.abs(dx) + Math.abs(dy);
  if (dragged > 4 && !graph.hasPointerCapture(event.pointerId)) graph.setPointerCapture(event.pointerId);
  if (others.length > 0) {
    const other = others[0][1], at = canvas.getBoundingClientRect();
    const before = Math.hypot(last.x - other.x, last.y - other.y), after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
    if (before > 0) zoomAt(after / before, (event.clientX + other.x) / 2 - at.left, (event.clientY + other.y) / 2 - at.top);
  } else if (dragged > 4) {
    view.x += dx;
    view.y += dy;
    applyView();
    hideTip();
  }
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
});
for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, (event) => pointers.delete(event.pointerId));
canvas.addEventListener("pointerleave", () => { hideTip(); scene.hovered = null; markEdges(null); });
graph.addEventListener("click", (event) => {
  if (dragged > 4 || event.detail > 1) return;
  const box = boxAt(event.target);
  scene.picked = box ?? null;
  if (box?.m !== undefined) {
    hideTip();
    toggle(box);
  } else {
    showPicked();
  }
});
graph.addEventListener("dblclick", (event) => {
  if (boxAt(event.target)?.m !== undefined) return;
  const at = canvas.getBoundingClientRect();
  zoomAt(1.8, event.clientX - at.left, event.clientY - at.top);
});
canvas.addEventListener("wheel", (event) => {
  if (embedded && !document.hasFocus() && !event.ctrlKey) return; // lets a notebook scroll until the picture is clicked
  event.preventDefault();
  const at = canvas.getBoundingClientRect();
  const step = event.deltaY * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 200 : 1) * (event.ctrlKey ? 4 : 1);
  zoomAt(Math.exp(-Math.max(-400, Math.min(400, step)) * 0.0018), event.clientX - at.left, event.clientY - at.top);
  hideTip();
}, { passive: false });

// Keys.

graph.addEventListener("focusin", (event) => {
  const box = boxAt(event.target);
  if (!box?.at || isRefocused || !event.target.matches(":focus-visible")) return;
  reveal(box, false);
  showTip(tooltipLines(box), box.at.x * view.zoom + view.x, (box.at.y + Math.min(box.at.h, 40)) * view.zoom + view.y);
  markEdges(box);
});
graph.addEventListener("focusout", hideTip);
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, summary, button") && event.key !== "Escape") return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const box = boxAt(event.target), step = 60;
  const keys = {
    Enter: () => box && toggle(box), " ": () => box && toggle(box),
    "+": () => zoomBy(1.25), "=": () => zoomBy(1.25), "-": () => zoomBy(0.8), 0: () => fit(false), f: () => fit(false),
    Home: initialView, Escape: () => { hideTip(); scene.picked = null; chooseTag(undefined); query.blur(); },
    ArrowLeft: () => { view.x += step; applyView(); }, ArrowRight: () => { view.x -= step; applyView(); },
    ArrowUp: () => { view.y += step; applyView(); }, ArrowDown: () => { view.y -= step; applyView(); }, "/": () => query.focus(),
  };
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

// Search.

const query = document.getElementById("query");
const hits = document.getElementById("hits");
const found = { boxes: [], at: -1 };

function search() {
  const words = query.value.trim().toLowerCase();
  found.boxes = [];
  found.at = -1;
  if (words) {
    const isHit = model.texts.map((text) => text.toLowerCase().includes(words));
    for (const body of model.bodies)
      for (const box of body.b) if (isHit[box.z ?? box.u] || isHit[box.t] || isHit[box.p]) found.boxes.push(box);
  }
  hits.textContent = !words ? "" : found.boxes.length === 0 ? "not found" : counted(found.boxes.length, "hit");
}

query.addEventListener("input", search);
query.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || found.boxes.length === 0) return;
  found.at = (found.at + (event.shiftKey ? found.boxes.length - 1 : 1)) % found.boxes.length;
  if (found.at < 0) found.at = found.boxes.length - 1;
  goTo(found.boxes[found.at]);
  hits.textContent = `${found.at + 1} of ${found.boxes.length}`;
});

// Buttons.

const on = (id, act) => document.getElementById(id).addEventListener("click", act);
on("in", () => zoomBy(1.25));
on("out", () => zoomBy(0.8));
on("fit", () => fit(false));
on("all", () => openAll(true));
on("first", initialView);
on("panel", () => {
  const isShown = side.hidden;
  side.hidden = !isShown;
  document.getElementById("panel").setAttribute("aria-expanded", String(isShown));
  applyView();
  draw();
});
const full = document.getElementById("full");
if (embedded && document.fullscreenEnabled) {
  full.hidden = false;
  on("full", () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()));
}

let isMoved = false;
for (const name of ["wheel", "pointerdown", "keydown"]) window.addEventListener(name, () => { isMoved = true; }, { passive: true });
new ResizeObserver(() => { if (isMoved) applyView(); else fit(true); draw(); }).observe(canvas);

addPatterns();
applyTheme();
media.addEventListener("change", applyTheme);
prepareLayout();
fillSide();
refresh();
fit(true);
