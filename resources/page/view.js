// The view: draws what is open, and moves and zooms it. Of a large graph only what is in sight is drawn, without texts when they are
// too small to read.

const MOST = 1500; // boxes that are drawn at once without looking at what is in sight
const READABLE = 0.4; // zoom below which a large graph has no texts
const canvas = document.getElementById("canvas");
const graph = document.getElementById("graph");
const world = document.getElementById("world");
const layers = Object.fromEntries(["frames", "edges", "boxes"].map((name) => [name, document.getElementById(name)]));
const view = { x: 0, y: 0, zoom: 1 };
const scene = { shown: [], bodies: [], elements: new Map(), drawn: null, picked: null, hovered: null };
const embedded = window.self !== window.top;

/// The part of the canvas that the panel and the tools leave.
const room = () => ({ w: canvas.clientWidth, h: canvas.clientHeight });

function applyView() {
  world.setAttribute("transform", `translate(${number(view.x)} ${number(view.y)}) scale(${view.zoom})`);
  graph.classList.toggle("far", view.zoom < 0.55);
  if (scene.shown.length > MOST) requestDraw();
}

let isWaiting = false;
function requestDraw() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(() => { isWaiting = false; draw(); });
}

/// Computes positions and draws everything again.
function refresh() {
  scene.shown = visibleBoxes();
  scene.bodies = visibleBodies(scene.shown);
  scene.drawn = null;
  draw();
}

/// The area to draw: everything, or what is in sight and a little around it.
function areaToDraw() {
  if (scene.shown.length <= MOST) return { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity, simple: false };
  const { w, h } = room(), k = view.zoom;
  const [left, top] = [-view.x / k, -view.y / k];
  const [across, down] = [(w / k) * 0.4, (h / k) * 0.4];
  return { left: left - across, top: top - down, right: left + w / k + across, bottom: top + h / k + down, simple: k < READABLE };
}

const holds = (outer, inner) =>
  outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom;

function isInSight() {
  const { w, h } = room(), k = view.zoom;
  const sight = { left: -view.x / k, top: -view.y / k, right: (w - view.x) / k, bottom: (h - view.y) / k };
  const whole = { left: 0, top: 0, right: model.bodies[0].placed.w, bottom: model.bodies[0].placed.h };
  for (const side of ["left", "top"]) sight[side] = Math.max(sight[side], whole[side]);
  for (const side of ["right", "bottom"]) sight[side] = Math.min(sight[side], whole[side]);
  return scene.drawn && holds(scene.drawn, sight);
}

function draw() {
  const isSimple = scene.shown.length > MOST && view.zoom < READABLE;
  if (isInSight() && scene.drawn.simple === isSimple) return;
  const area = areaToDraw();
  const isSeen = (at) => at.x <= area.right && at.x + at.w >= area.left && at.y <= area.bottom && at.y + at.h >= area.top;
  const focused = document.activeElement?.box;
  for (const name in layers) layers[name].replaceChildren();
  scene.elements.clear();
  scene.drawn = area;
  const boxes = document.createDocumentFragment(), frames = document.createDocumentFragment();
  const simple = new Map();
  for (const box of scene.shown) {
    if (!isSeen(box.at)) continue;
    if (box.open) {
      frames.append(frameElement(box));
      if (!area.simple || box.at.w * view.zoom > 60) boxes.append(armed(titleElement(box), box));
    } else if (area.simple) {
      const shares = sharesOf(box), isTagged = !model.scale && shares.length === 1 && shares[0][0] >= 0;
      const fill = isTagged ? tagFill(shares[0][0]) : box.h === undefined ? "var(--untagged)" : paintOf(box).fill;
      simple.set(fill, (simple.get(fill) ?? "") + `M${number(box.at.x)} ${number(box.at.y)}h${box.at.w}v${box.at.h}h${-box.at.w}Z`);
    } else {
      boxes.append(armed(closedElement(box), box));
    }
  }
  for (const [fill, d] of simple) svg("path", { d, fill, class: "many" }, layers.frames);
  layers.frames.prepend(frames);
  layers.boxes.append(boxes);
  drawEdges(area);
  if (focused) refocus(focused);
  showPicked();
}

let isRefocused = false;
/// Gives the focus to the new element of a box.
function refocus(box) {
  isRefocused = true;
  scene.elements.get(box)?.focus({ preventScroll: true });
  isRefocused = false;
}

/// Makes an element of a box respond to keys and the mouse.
function armed(element, box) {
  element.box = box;
  scene.elements.set(box, element);
  element.setAttribute("role", box.m === undefined ? "img" : "button");
  element.setAttribute("aria-label", spokenName(box));
  if (box.m !== undefined) {
    element.setAttribute("tabindex", "0");
    element.setAttribute("aria-expanded", String(box.open));
  } else {
    element.setAttribute("tabindex", "-1");
  }
  return element;
}

function drawEdges(area) {
  const lines = document.createDocumentFragment();
  let many = "";
  const isSeen = ({ left, right, top, bottom }) => left <= area.right && right >= area.left && top <= area.bottom && bottom >= area.top;
  for (const body of scene.bodies) {
    const { x, y } = body.at, { w, h } = body.placed;
    if (isSeen({ left: x, right: x + w, top: y, bottom: y + h })) body.e.forEach((edge, i) => {
      const shape = (body.shapes[i] ??= edgeShape(body, edge));
      if (!isSeen(shape)) return;
      if (area.simple && !edge.w) many += shape.d;
      else drawEdge(body, edge, shape, lines);
    });
  }
  if (many) svg("path", { d: many, class: "manylines" }, layers.edges);
  layers.edges.append(lines);
}

function drawEdge(body, edge, shape, parent) {
  const group = svg("g", { class: "edge" + (edge.w ? " backward" : "") + (edge.c ? " cut" : "") }, parent);
  svg("path", { d: shape.d, class: "hit" }, group);
  svg("path", { d: shape.d, class: "line" }, group);
  if (shape.tips.length > 0) svg("path", { d: shape.tips.map((tip) => arrow(tip, edge.w ? 9 : 6.5)).join(""), class: "head" }, group);
  group.edge = edge;
  group.body = body;
}

/// Zooms so that a point of the canvas stays where it is.
function zoomAt(factor, x, y) {
  const zoom = Math.min(8, Math.max(leastZoom(), view.zoom * factor));
  view.x = x - ((x - view.x) * zoom) / view.zoom;
  view.y = y - ((y - view.y) * zoom) / view.zoom;
  view.zoom = zoom;
  applyView();
}

function leastZoom() {
  const { w, h } = room(), whole = model.bodies[0].placed;
  return Math.min(0.25, w / whole.w / 2, h / whole.h / 2);
}

const zoomBy = (factor) => zoomAt(factor, room().w / 2, room().h / 2);

/// Shows the whole graph; `isFirst`: a tall one only from its start, at a size where it can be read.
function fit(isFirst) {
  const { w, h } = room(), whole = placeBody(model.bodies[0]), pad = 20, above = 44;
  let zoom = Math.min((w - 2 * pad) / whole.w, (h - above - pad) / whole.h, 1.6);
  const readable = Math.min(0.73, (w - 2 * pad) / whole.w);
  const isTall = isFirst && zoom < Math.min(0.45, readable);
  if (isTall) zoom = Math.max(readable, 0.6);
  view.zoom = Math.max(zoom, 0.001);
  view.x = (w - whole.w * view.zoom) / 2;
  view.y = isTall ? above : above + Math.max(0, (h - above - pad - whole.h * view.zoom) / 2);
  if (isTall && whole.w * view.zoom > w) view.x = startX(w);
  applyView();
  draw();
}

/// Puts the first box in the middle of a graph that is wider than the canvas.
function startX(w) {
  const first = model.bodies[0].b[0].at;
  return w / 2 - (first.x + first.w / 2) * view.zoom;
}

/// Opens or closes a module; its title stays where it is.
function toggle(box) {
  if (box.m === undefined) return;
  const before = { ...box.at };
  setOpen(box, !box.open);
  refreshAround(box, before);
  say((box.open ? "Opened " : "Closed ") + (textAt(box.p) || textAt(box.t)));
  if (document.activeElement?.box !== box) refocus(box);
}

function refreshAround(box, before) {
  scene.shown = visibleBoxes();
  view.x += (before.x - box.at.x) * view.zoom;
  view.y += (before.y - box.at.y) * view.zoom;
  applyView();
  refresh();
}

/// Moves the view so that a box is in sight.
function reveal(box, isCentered) {
  const { w, h } = room(), k = view.zoom;
  const x = box.at.x * k + view.x, y = box.at.y * k + view.y;
  const isInside = x > 10 && y > 50 && x + Math.min(box.at.w * k, w * 0.6) < w - 10 && y + 34 * k < h - 10;
  if (isInside && !isCentered) return;
  view.x += w / 2 - x - Math.min(box.at.w * k, w) / 2;
  view.y += h / 3 - y;
  applyView();
  draw();
}

/// Opens the modules around a box and moves to it.
function goTo(box) {
  let isChanged = false;
  for (let owner = box.body.owner; owner; owner = owner.body.owner) {
    if (owner.open) continue;
    setOpen(owner, true);
    isChanged = true;
  }
  if (isChanged) refresh();
  if (view.zoom < 0.6) zoomBy(0.9 / view.zoom);
  reveal(box, true);
  scene.picked = box;
  showPicked();
}

/// Marks the box that was found, and hides boxes without the chosen tag.
function showPicked() {
  for (const [box, element] of scene.elements) {
    element.classList.toggle("picked", box === scene.picked);
    if (!box.open) element.classList.toggle("off", scene.tag !== undefined && !hasTag(box, scene.tag));
  }
  layers.edges.classList.toggle("off", scene.tag !== undefined);
}

function openAll(isOpen) {
  for (const body of model.bodies) {
    for (const box of body.b) if (box.m !== undefined) box.open = isOpen;
    body.placed = null;
  }
  refresh();
  fit(true);
  say(isOpen ? "All modules are open" : "All modules are closed");
}

function initialView() {
  for (const body of model.bodies) {
    for (const box of body.b) box.open = box.first;
    body.placed = null;
  }
  scene.picked = null;
  chooseTag(undefined);
  refresh();
  fit(true);
}

const said = document.getElementById("said");
function say(text) {
  said.textContent = text;
}
