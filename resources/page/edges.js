// Routes. An edge belongs to the body that contains both of its ends, or to the body that it enters or leaves. It ends at the border
// of an open module, at the places where the edges with the same values continue inside.

const STUB = 18; // distance over which an end moves to its place
const flow = (p) => (model.right ? p.x : p.y);
const across = (p) => (model.right ? p.y : p.x);

/// Divides each curve in four, so that a stretched route keeps its shape.
function divided(points) {
  const half = (a, b) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  for (let round = 0; round < 2; ++round) {
    const next = [points[0]];
    for (let i = 0; i + 3 < points.length; i += 3) {
      const [a, b, c, d] = points.slice(i, i + 4);
      const ab = half(a, b), bc = half(b, c), cd = half(c, d), abc = half(ab, bc), bcd = half(bc, cd);
      next.push(ab, abc, half(abc, bcd), bcd, cd, d);
    }
    points = next;
  }
  return points;
}

/// Returns the points of a route as written: 3n + 1 points of cubic curves.
function writtenRoute(edge) {
  const points = [];
  for (let i = 0; i < edge.p.length; i += 2) points.push({ x: edge.p[i], y: edge.p[i + 1] });
  if (points.length !== 2) return points;
  const [a, b] = points;
  const between = (t) => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });
  return [a, between(1 / 3), between(2 / 3), b];
}

/// Returns a route in the scene, as placed now. A route between columns belongs to the first one up to its longest piece along the
/// flow, and then to the other.
function placedRoute(body, edge) {
  const { map, isMoved, w, h } = placeBody(body);
  let points = writtenRoute(edge), column = () => undefined, longest = -1;
  const [from, to] = [body.b[edge.f]?.column, body.b[edge.t]?.column];
  if (isMoved && (from === to || from === undefined || to === undefined)) {
    points = divided(points);
    column = () => from ?? to;
  } else if (isMoved) {
    const length = (i) => Math.abs(flow(points[i + 3]) - flow(points[i]));
    longest = 0;
    for (let i = 0; i + 3 < points.length; i += 3) if (length(i) > length(longest)) longest = i;
    column = (i) => (i <= longest + 1 ? from : to);
  }
  const placed = points.map((p, i) => {
    const at = map(p.x, p.y, column(i)), isExit = edge.t === undefined && i === points.length - 1;
    if (model.right) at.x = isExit ? w : Math.min(at.x, w);
    else at.y = isExit ? h : Math.min(at.y, h);
    return { x: at.x + body.at.x, y: at.y + body.at.y };
  });
  if (longest >= 0) { // it is straight
    const [a, b] = [placed[longest], placed[longest + 3]];
    for (const i of [1, 2]) placed[longest + i] = { x: a.x + ((b.x - a.x) * i) / 3, y: a.y + ((b.y - a.y) * i) / 3 };
  }
  return placed;
}

const sharesValue = (a, b) => a.v.some((value) => b.v.includes(value));

/// Returns where an edge meets a box: one place per edge that continues inside, else one place on its border.
function portsOf(box, edge, isEnd, written) {
  const { x, y, w, h } = box.at;
  if (box.open) {
    const inner = model.bodies[box.m];
    const ports = [];
    for (const next of inner.e) {
      if ((isEnd ? next.f : next.t) !== undefined || !sharesValue(edge, next)) continue;
      const route = writtenRoute(next);
      const p = isEnd ? route[0] : route[route.length - 1];
      const column = inner.b[isEnd ? next.t : next.f].column;
      const at = placeBody(inner).map(p.x, p.y, column);
      const port = { x: at.x + x, y: at.y + y, inside: true };
      if (model.right) port.x = isEnd ? x : x + w;
      else port.y = isEnd ? y : y + h;
      if (!ports.some((other) => Math.abs(other.x - port.x) + Math.abs(other.y - port.y) < 1)) ports.push(port);
    }
    if (ports.length > 0) return ports;
  }
  const keep = (offset, before, after) => Math.max(8 - before, Math.min(after - 8, offset));
  if (model.right) {
    const axis = box.open ? placeBody(model.bodies[box.m]).axis : h / 2;
    const offset = box.open === box.first ? keep(written.y - box.base.y, axis, h - axis) : 0;
    return [{ x: isEnd ? x : x + w, y: y + axis + offset }];
  }
  const axis = box.open ? placeBody(model.bodies[box.m]).axis : w / 2;
  const offset = box.open === box.first ? keep(written.x - box.base.x, axis, w - axis) : 0;
  return [{ x: x + axis + offset, y: isEnd ? y : y + h }];
}

const number = (v) => Math.round(v * 10) / 10;
const word = (p) => number(p.x) + " " + number(p.y);

/// A curve between two points that leaves and arrives in the direction of the flow.
function bend(a, b) {
  if (model.right) {
    const middle = (a.x + b.x) / 2;
    return `M${word(a)}C${number(middle)} ${number(a.y)} ${number(middle)} ${number(b.y)} ${word(b)}`;
  }
  const middle = (a.y + b.y) / 2;
  return `M${word(a)}C${number(a.x)} ${number(middle)} ${number(b.x)} ${number(middle)} ${word(b)}`;
}

function curves(points, from, to) {
  let d = "M" + word(points[from * 3]);
  for (let i = from * 3 + 1; i + 2 <= to * 3; i += 3)
    d += `C${word(points[i])} ${word(points[i + 1])} ${word(points[i + 2])}`;
  return d;
}

const isNear = (a, b) => Math.abs(a.x - b.x) < 1 && Math.abs(a.y - b.y) < 1;
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/// Returns the shape of an edge: `d` of its lines, the `tips` of its arrows, and its bounds.
function edgeShape(body, edge) {
  const points = placedRoute(body, edge);
  const pieces = (points.length - 1) / 3;
  const [first, last] = [points[0], points[points.length - 1]];
  const written = edge.p;
  const starts = edge.f === undefined ? [first] : portsOf(body.b[edge.f], edge, false, { x: written[0], y: written[1] });
  const ends = edge.t === undefined ? [last]
    : portsOf(body.b[edge.t], edge, true, { x: written[written.length - 2], y: written[written.length - 1] });
  const movesStart = starts.length !== 1 || !isNear(starts[0], first);
  const movesEnd = ends.length !== 1 || !isNear(ends[0], last);
  let d;
  if (pieces < 1) {
    d = starts.map((start) => ends.map((end) => bend(start, end)).join("")).join("");
  } else {
    let from = 0, to = pieces;
    // An end that moves only along the flow is reached by a straight line.
    const isAhead = (ports, point) => ports.length === 1 && Math.abs(across(ports[0]) - across(point)) < 1;
    if (movesStart && !isAhead(starts, first)) while (from < pieces / 2 && distance(points[from * 3], first) < STUB) from += 1;
    if (movesEnd && !isAhead(ends, last)) while (to > Math.max(from, pieces / 2) && distance(points[to * 3], last) < STUB) to -= 1;
    if (from >= to && !(movesStart && movesEnd)) [from, to] = movesStart ? [pieces, pieces] : [0, 0];
    d = (movesStart ? starts.map((start) => bend(start, points[from * 3])).join("") : "")
      + (to > from ? curves(points, from, to) : "")
      + (movesEnd ? ends.map((end) => bend(points[to * 3], end)).join("") : "");
  }
  const all = [...points, ...starts, ...ends];
  return {
    d, tips: edge.t === undefined ? [] : ends.filter((end) => !end.inside),
    left: Math.min(...all.map((p) => p.x)), right: Math.max(...all.map((p) => p.x)),
    top: Math.min(...all.map((p) => p.y)), bottom: Math.max(...all.map((p) => p.y)),
  };
}

/// The head of an arrow at a point, along the flow.
function arrow(tip, size) {
  const half = size * 0.42;
  return model.right ? `M${word(tip)}l${-size} ${half}v${-2 * half}Z` : `M${word(tip)}l${half} ${-size}h${-2 * half}Z`;
}

/// Returns the bodies that are open, whose edges are visible. The shapes of their edges are computed when they are in sight.
function visibleBodies(shown) {
  const bodies = [model.bodies[0]];
  for (const box of shown) if (box.open) bodies.push(model.bodies[box.m]);
  for (const body of bodies) body.shapes = [];
  return bodies;
}
