// Positions. Every body (the contents of a module) was laid out with the modules in it closed. Opening a module replaces its box by
// its body: the coordinates around it are stretched by a monotone, piecewise linear map for each axis. Other boxes keep their size
// and distances never shrink, so that boxes never overlap. Closing a module that was open at first presses empty space instead.

const MARGIN = 14; // kept around boxes where empty space is pressed
const LANE = 7; // kept around edges there

/// Returns a map of one axis. `changed`: intervals {low, middle, high} with the lengths {before, after} that both halves need;
/// `kept`: intervals [low, high] that must not shrink.
function axisMap(changed, kept) {
  const shrinks = changed.some((c) => c.before < c.middle - c.low - 0.5 || c.after < c.high - c.middle - 0.5);
  const stops = new Set();
  for (const c of changed) stops.add(c.low).add(c.middle).add(c.high);
  if (shrinks) for (const [low, high] of kept) stops.add(low).add(high);
  const at = [...stops].sort((a, b) => a - b);
  const indexOf = (v) => {
    let low = 0, high = at.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at[middle] < v) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const lengths = at.slice(1).map((v, i) => v - at[i]);
  const now = lengths.slice();
  const halves = [];
  for (const c of changed) {
    const [low, middle, high] = [indexOf(c.low), indexOf(c.middle), indexOf(c.high)];
    halves.push([low, middle, c.before], [middle, high, c.after]);
  }
  if (shrinks) {
    const pressed = new Int32Array(at.length + 1), held = new Int32Array(at.length + 1);
    const count = (table, low, high) => { table[low] += 1; table[high] -= 1; };
    for (const [low, high, need] of halves) count(need < at[high] - at[low] - 0.5 ? pressed : held, low, high);
    for (const [low, high] of kept) count(held, indexOf(low), indexOf(high));
    for (let i = 0, p = 0, h = 0; i < now.length; ++i) {
      p += pressed[i];
      h += held[i];
      if (p > 0 && h === 0) now[i] = 0;
    }
  }
  for (const [low, high, need] of halves) {
    let sum = 0;
    for (let i = low; i < high; ++i) sum += now[i];
    if (sum >= need || high === low) continue;
    const scale = (need - sum) / (at[high] - at[low]);
    for (let i = low; i < high; ++i) now[i] += lengths[i] * scale;
  }
  const to = [at[0]];
  for (const length of now) to.push(to[to.length - 1] + length);
  const last = at.length - 1;
  return (v) => {
    if (v <= at[0]) return v;
    if (v >= at[last]) return v + to[last] - at[last];
    let i = indexOf(v);
    if (at[i] === v) return to[i];
    i -= 1;
    return to[i] + (now[i] / lengths[i]) * (v - at[i]);
  };
}

const same = (v) => v;

/// The lengths of a box on both sides of its axis point, which stays in line with the edges.
function sidesOf(box) {
  let w, h, ax, ay;
  if (box.open) {
    const placed = placeBody(model.bodies[box.m]);
    [w, h] = [placed.w, placed.h];
    [ax, ay] = model.right ? [w / 2, placed.axis] : [placed.axis, h / 2];
  } else {
    [w, h] = box.c ?? [box.r[2], box.r[3]];
    [ax, ay] = [w / 2, h / 2];
  }
  return { left: ax, right: w - ax + box.chipsRight, top: ay, bottom: h - ay + box.chipsBelow, w, h };
}

/// Returns the column of a point across the flow: columns, as in a newspaper, are stretched separately.
function columnAt(body, across) {
  let column = 0;
  while (column < body.gaps.length && across > body.gaps[column]) column += 1;
  return column;
}

/// Places the boxes of a body for the modules that are open now. Cached until a module in it opens or closes.
function placeBody(body) {
  if (body.placed) return body.placed;
  const boxes = body.b;
  const sides = boxes.map((box) => (box.m === undefined ? box.base : sidesOf(box)));
  const isChanged = boxes.map((box, i) => ["left", "right", "top", "bottom"].some((s) => Math.abs(sides[i][s] - box.base[s]) > 0.5));
  const [ahead, behind, before, after] = model.right ? ["left", "right", "top", "bottom"] : ["top", "bottom", "left", "right"];
  const changedAcross = [], changedAlong = body.gaps.map(() => []).concat([[]]);
  boxes.forEach((box, i) => {
    if (!isChanged[i]) return;
    const { along, across } = box.base;
    const change = (at, from, to) =>
      ({ low: at - box.base[from], middle: at, high: at + box.base[to], before: sides[i][from], after: sides[i][to] });
    changedAcross.push(change(across, before, after));
    changedAlong[box.column].push(change(along, ahead, behind));
  });
  let mapAcross = same, mapsAlong = changedAlong.map(() => same);
  if (changedAcross.length > 0) {
    const keptAcross = [], keptAlong = changedAlong.map(() => []);
    boxes.forEach((box, i) => {
      if (isChanged[i]) return;
      const { along, across } = box.base;
      keptAcross.push([across - box.base[before] - MARGIN, across + box.base[after] + MARGIN]);
      keptAlong[box.column].push([along - box.base[ahead] - MARGIN, along + box.base[behind] + MARGIN]);
    });
    for (const edge of body.e) {
      if (isChanged[edge.f] || isChanged[edge.t]) continue;
      for (let i = model.right ? 1 : 0; i < edge.p.length; i += 2) keptAcross.push([edge.p[i] - LANE, edge.p[i] + LANE]);
    }
    mapAcross = axisMap(changedAcross, keptAcross);
    mapsAlong = changedAlong.map((changed, column) => (changed.length > 0 ? axisMap(changed, keptAlong[column]) : same));
  }
  /// The place of a point in a column; without one, in the column where it is.
  const map = (x, y, column) => {
    if (model.right) return { x: mapsAlong[column ?? columnAt(body, y)](x), y: mapAcross(y) };
    return { x: mapAcross(x), y: mapsAlong[column ?? columnAt(body, x)](y) };
  };
  const places = boxes.map((box, i) => {
    const at = map(box.base.x, box.base.y, box.column);
    return { x: at.x - sides[i].left, y: at.y - sides[i].top, w: sides[i].w, h: sides[i].h };
  });
  const [length, breadth] = model.right ? [body.w, body.h] : [body.h, body.w];
  const across = mapAcross(breadth);
  let along = mapsAlong[0](length);
  if (body.gaps.length > 0) { // the longest column, with the space that was below it
    const ends = (one) => Math.max(...boxes.map((box, i) => one(box, i)));
    const endNow = ends((box, i) => (model.right ? places[i].x : places[i].y) + sides[i][ahead] + sides[i][behind]);
    along = endNow + length - ends((box) => box.base.along + box.base[behind]);
  }
  const least = body.t === undefined ? 0 : frameTitleWidth(body);
  body.placed = {
    w: Math.max(model.right ? along : across, least), h: model.right ? across : along, axis: mapAcross(body.a), map, places,
    isMoved: changedAcross.length > 0,
  };
  return body.placed;
}

/// Prepares the boxes of all bodies: their sides in the layout as written.
function prepareLayout() {
  for (const body of model.bodies) {
    body.b.forEach((box, index) => {
      box.body = body;
      box.index = index;
      box.column = box.j ?? 0;
      box.open = box.v === 1;
      box.first = box.open;
      const [w, h] = box.c ?? [box.r[2], box.r[3]];
      box.chipsRight = 0;
      box.chipsBelow = 0;
      for (const chip of box.i ?? []) {
        box.chipsRight = Math.max(box.chipsRight, chip[0] + chip[2] - w);
        box.chipsBelow = Math.max(box.chipsBelow, chip[1] + chip[3] - h);
      }
      if (box.m !== undefined) model.bodies[box.m].owner = box;
    });
  }
  for (const body of model.bodies) {
    for (const box of body.b) {
      const [x, y, w, h] = box.r;
      const axis = box.open ? model.bodies[box.m].a : model.right ? h / 2 : w / 2;
      const [ax, ay] = model.right ? [w / 2, axis] : [axis, h / 2];
      box.base = { x: x + ax, y: y + ay, left: ax, right: w - ax + box.chipsRight, top: ay, bottom: h - ay + box.chipsBelow, w, h };
      [box.base.along, box.base.across] = model.right ? [box.base.x, box.base.y] : [box.base.y, box.base.x];
    }
    body.gaps = gapsOf(body);
  }
}

/// Returns the places between the columns of a body.
function gapsOf(body) {
  const ends = [], starts = [];
  const [before, after] = model.right ? ["top", "bottom"] : ["left", "right"];
  for (const { column, base } of body.b) {
    starts[column] = Math.min(starts[column] ?? Infinity, base.across - base[before]);
    ends[column] = Math.max(ends[column] ?? -Infinity, base.across + base[after]);
  }
  return starts.slice(1).map((start, i) => (start + ends[i]) / 2);
}

/// Opens or closes a module; its surroundings are placed again.
function setOpen(box, isOpen) {
  if (box.m === undefined || box.open === isOpen) return;
  box.open = isOpen;
  for (let body = box.body; body; body = body.owner?.body) body.placed = null;
}

/// Returns all visible boxes with their positions: frames before their contents. Each box remembers its place as `box.at`.
function visibleBoxes() {
  const shown = [];
  const walk = (body, x, y, depth) => {
    const placed = placeBody(body);
    body.at = { x, y };
    body.b.forEach((box, i) => {
      const place = placed.places[i];
      box.at = { x: x + place.x, y: y + place.y, w: place.w, h: place.h };
      box.depth = depth;
      shown.push(box);
      if (box.open) walk(model.bodies[box.m], box.at.x, box.at.y, depth + 1);
    });
  };
  walk(model.bodies[0], 0, 0, 0);
  return shown;
}
