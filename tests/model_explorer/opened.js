// What Model Explorer's own web worker makes of graph collections: opened.js WEB_APP FILE…
// The worker is what reads graphs in the browser. Prints a line of JSON for each graph: its nodes, groups and edges as they are
// to be drawn, or what went wrong.
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [webApp, ...files] = process.argv.slice(2);
const script = fs.readdirSync(webApp).find((name) => /^worker-.*\.js$/.test(name));
const kProcessGraph = 0;
const kProcessed = 1;

let listen = null;
const answers = [];
const canvas = { getContext: () => ({ font: "", measureText: (text) => ({ width: 7 * text.length }) }) };
const world = {
  addEventListener: (name, handler) => { listen = handler; },
  postMessage: (message) => answers.push(message),
  OffscreenCanvas: class { constructor() { return canvas; } },
  console, performance, setTimeout, TextDecoder, TextEncoder, URL,
  navigator: { userAgent: "", hardwareConcurrency: 1 },
  location: { href: "http://localhost/" },
};
world.self = world;
vm.createContext(world);
vm.runInContext(fs.readFileSync(path.join(webApp, script), "utf8"), world);

for (const file of files) {
  const collection = JSON.parse(fs.readFileSync(file, "utf8"));
  for (const graph of collection.graphs) {
    graph.collectionLabel = collection.label;
    answers.length = 0;
    listen({ data: {
      eventType: kProcessGraph, paneId: "0", graph, showOnNodeItemTypes: {}, nodeDataProviderRuns: {}, config: {},
      groupNodeChildrenCountThreshold: 1000, flattenLayers: false, keepLayersWithASingleChild: true, initialLayout: true,
    } });
    const made = (answers.find((answer) => answer.eventType === kProcessed) || {}).modelGraph;
    const ops = made ? made.nodes.filter((node) => node.nodeType === 0) : [];
    const groups = made ? made.nodes.filter((node) => node.nodeType === 1) : [];
    console.log(JSON.stringify({
      file, graph: graph.id,
      nodes: ops.map((node) => node.id),
      groups: groups.map((node) => (node.namespace ? node.namespace + "/" : "") + node.label),
      edges: ops.flatMap((node) => (node.incomingEdges || []).map((edge) => [edge.sourceNodeId, node.id])),
      attrs: ops.reduce((sum, node) => sum + Object.keys(node.attrs || {}).length, 0),
    }));
  }
}
