// Pictures of the report: the path tree of a function, its coverage over runs, and who calls whom.
// Takes the data of the page; gives SVG elements. A picture that is larger than its frame can be zoomed and moved.

const SVG = byId("drawing").namespaceURI;

/** An SVG element with attributes and children. */
function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
  element.append(...children.flat());
  return element;
}

const short = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);

/** The pictures of a function, each with its title. */
function unitPictures(index) {
  return [...curve(units[index]), ...pathTree(units[index])];
}

// ---- Zooming ---------------------------------------------------------------------------------------------------------

/** A frame around a drawing of this size, with buttons, keys, wheel and dragging. It opens at the beginning, with text as large
    as elsewhere. */
function zoomable(svg, width, height, label) {
  const view = { x: 0, y: 0, scale: Math.min(40, Math.max(1, width / 1100, height / 480)) };
  const apply = () => {
    svg.setAttribute("viewBox", [view.x, view.y, width / view.scale, height / view.scale].join(" "));
    svg.dataset.scale = String(Math.round(view.scale * 100) / 100);
  };
  const zoom = (factor, atX = 0.5, atY = 0.5) => {
    const scale = Math.min(40, Math.max(0.5, view.scale * factor));
    view.x += (width / view.scale - width / scale) * atX;
    view.y += (height / view.scale - height / scale) * atY;
    view.scale = scale;
    apply();
  };
  const fit = () => { Object.assign(view, { x: 0, y: 0, scale: 1 }); apply(); };
  const move = (x, y) => { view.x += x * width / view.scale; view.y += y * height / view.scale; apply(); };
  const keys = { "+": () => zoom(1.5), "=": () => zoom(1.5), "-": () => zoom(1 / 1.5), "−": () => zoom(1 / 1.5), 0: fit,
    ArrowLeft: () => move(-0.1, 0), ArrowRight: () => move(0.1, 0), ArrowUp: () => move(0, -0.1), ArrowDown: () => move(0, 0.1) };
  svg.setAttribute("tabindex", "0");
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", label);
  svg.setAttribute("preserveAspectRatio", "xMinYMin meet");
  svg.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });
  // Without a key held the wheel moves the page, as everywhere.
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.shiftKey) return;
    event.preventDefault();
    const frame = svg.getBoundingClientRect();
    zoom((event.deltaY || event.deltaX) < 0 ? 1.2 : 1 / 1.2, (event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height);
  }, { passive: false });
  let from = null;
  svg.addEventListener("pointerdown", (event) => { from = event; });
  window.addEventListener("pointerup", () => { from = null; });
  svg.addEventListener("pointermove", (event) => {
    if (!from) return;
    const pixels = svg.getScreenCTM().a;
    view.x -= (event.clientX - from.clientX) / pixels;
    view.y -= (event.clientY - from.clientY) / pixels;
    from = event;
    apply();
  });
  apply();
  const button = (text, title, act) => make("button", { type: "button", title, "aria-label": title, onclick: act }, text);
  return make("div", { class: "picture zoom" }, svg,
    make("div", { class: "buttons" }, button("+", "Zoom in", () => zoom(1.5)), button("−", "Zoom out", () => zoom(1 / 1.5)), button("Fit", "Show all", fit)));
}

// ---- Path tree -------------------------------------------------------------------------------------------------------

const ENDS = {
  end: ["●", "a run goes this way, and the input decides nothing more"],
  "left out": ["…", "goes on; not in this picture"],
  untried: ["○", "not tried"],
  infeasible: ["∅", "no input of this round goes this way"],
  unknown: ["?", "the solver could not tell"],
  elsewhere: ["↷", "the run for it went elsewhere"],
  "not wanted": ["·", "nothing that was wanted can follow"],
};

function pathTree(unit) {
  const paths = unit.paths;
  if (!paths) return [];
  const [across, down] = [210, 24];
  const edges = draw("g");
  const nodes = draw("g");
  const used = new Set();
  const text = [];
  let [row, deepest] = [0, 0];
  // Depth first with a stack of our own: a path may be hundreds of decisions long.
  const sizes = new Array(paths.nodes.length).fill(1);
  const sizeOf = (to) => (typeof to === "number" ? sizes[to] : 0);
  // What is above stands before what is below.
  for (let node = sizes.length - 1; node >= 0; node--) sizes[node] = paths.nodes[node][1].reduce((sum, [, to]) => sum + sizeOf(to), 1);
  const start = { used: false };
  const pending = paths.roots.map((root) => ({ node: root, depth: 0, from: start, outcome: "" })).reverse();
  while (pending.length) {
    const { node, end, depth, from, outcome: way } = pending.pop();
    // The first way on stands beside its decision, the others below.
    if (from.used) row++;
    from.used = true;
    const x = 10 + depth * across;
    const y = 20 + row * down;
    deepest = Math.max(deepest, depth);
    const here = { x, y, used: false };
    if (from !== start) {
      const right = from.x + 152;
      edges.append(draw("path", { class: "edge" + (end && end !== "end" && end !== "left out" ? " not" : ""), d: `M${right} ${from.y}C${right + 20} ${from.y} ${right + 10} ${y} ${x - 6} ${y}` }));
      edges.append(draw("text", { class: "small", x: x - 8, y: y - 4, "text-anchor": "end" }, short(way, 9)));
    }
    if (end) {
      used.add(end);
      const mark = draw("text", { class: end, x: x - 2, y: y + 4 }, ENDS[end][0]);
      mark.append(draw("title", {}, way + ": " + ENDS[end][1]));
      nodes.append(mark);
      text.push("  ".repeat(depth) + way + ": " + ENDS[end][1]);
      continue;
    }
    const [site, ways] = paths.nodes[node];
    const [file, line, words] = paths.sites[site];
    nodes.append(decision(unit, x, y, file, line, words));
    text.push("  ".repeat(depth) + (way ? way + ": " : "") + (line ? "line " + line + ", " : "") + words);
    // What is small stands beside its decision; the longest way goes down and on.
    const bySize = [...ways].sort(([, one], [, other]) => sizeOf(other) - sizeOf(one));
    for (const [outcome, to] of bySize) {
      pending.push(typeof to === "number" ? { node: to, depth: depth + 1, from: here, outcome } : { end: to, depth: depth + 1, from: here, outcome });
    }
  }
  const [width, height] = [(deepest + 1) * across + 40, 20 + (row + 1) * down];
  const label = `Path tree of ${unit.name}: ${paths.nodes.length} decisions. Plus and minus zoom, arrows move.`;
  const frame = zoomable(draw("svg", {}, edges, nodes), width, height, label);
  const left = paths.left ? ` ${paths.left} further decisions are not in the picture.` : "";
  return [make("h3", { id: "paths" }, "Paths"),
    make("p", { class: "quiet" }, `What the input decided in the last round of the search, from left to right, those nearest to the start first.${left}`),
    frame,
    make("p", { class: "key" }, ...[...used].map((end) => make("span", {}, ENDS[end].join(" ")))),
    make("details", { class: "as-text" }, make("summary", {}, "The same as text"), make("pre", {}, text.join("\n")))];
}

function decision(unit, x, y, file, line, words) {
  const goal = unit.goals.find((goal) => goal.l === line && data.files[goal.f].name === file);
  const box = draw("rect", { class: "box", x: x - 4, y: y - 9, width: 156, height: 18, rx: 4 });
  const group = draw("g", goal ? { class: "link", role: "link" } : {}, box, draw("text", { x, y: y + 4 }, short((line ? line + ": " : "") + words, 24)));
  group.append(draw("title", {}, (line ? file + ":" + line + ": " : "") + words));
  if (goal) group.addEventListener("click", () => { location.hash = encodeURI(goal.id); });
  return group;
}

// ---- Coverage over runs ----------------------------------------------------------------------------------------------

function curve(unit) {
  const firsts = unit.goals.map((goal) => goal.run).filter((run) => run !== undefined).sort((one, other) => one - other);
  if (!firsts.length) return [];
  const [width, height, left, bottom, top] = [640, 220, 44, 34, 12];
  const last = Math.max(unit.runs, firsts.at(-1), 2);
  const x = (run) => left + (width - left - 16) * Math.log(Math.max(run, 1)) / Math.log(last);
  const y = (goals) => top + (height - top - bottom) * (1 - goals / unit.goals.length);
  let path = `M${x(1)} ${y(0)}`;
  firsts.forEach((run, at) => { path += `H${x(run).toFixed(1)}V${y(at + 1).toFixed(1)}`; });
  path += `H${x(last).toFixed(1)}`;
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${firsts.length} of ${unit.goals.length} goals reached, the last in run ${firsts.at(-1)} of ${unit.runs}` });
  for (const part of [0, 0.5, 1]) {
    const goals = Math.round(unit.goals.length * part);
    svg.append(draw("path", { class: "grid", d: `M${left} ${y(goals)}H${width - 16}` }), draw("text", { class: "small", x: left - 6, y: y(goals) + 4, "text-anchor": "end" }, String(goals)));
  }
  const ticks = [1, 10, 100, 1000, 10000, 100000, 1000000].filter((run) => run < last * 0.7);
  for (const run of [...ticks, last]) svg.append(draw("text", { class: "small", x: x(run), y: height - 16, "text-anchor": run === 1 ? "start" : run === last ? "end" : "middle" }, String(run)));
  svg.append(draw("text", { class: "small", x: width / 2, y: height - 2, "text-anchor": "middle" }, "runs"), draw("path", { class: "curve", d: path }));
  return [make("h3", { id: "curve" }, "Coverage over runs"),
    make("p", { class: "quiet" }, `Goals that the search has reached after so many runs; the last new one in run ${firsts.at(-1)} of ${unit.runs}.`),
    make("div", { class: "picture curve-picture" }, svg)];
}

// ---- Calls -----------------------------------------------------------------------------------------------------------

/** Who may call whom, from left to right, each function with how much of it is covered. */
function showCalls() {
  const edges = [];
  units.forEach((unit, from) => unit.calls.forEach((to) => typeof to === "number" && to !== from && edges.push([from, to])));
  const concerned = [...new Set(edges.flat())].sort((one, other) => one - other);
  if (!concerned.length) return;
  const layer = layers(concerned, edges);
  const columns = [];
  for (const unit of concerned) (columns[layer.get(unit)] ??= []).push(unit);
  const [across, down] = [250, 34];
  const place = new Map();
  columns.forEach((column, at) => column.forEach((unit, row) => place.set(unit, { x: 10 + at * across, y: 10 + row * down })));
  const lines = edges.map(([from, to]) => {
    const [a, b] = [place.get(from), place.get(to)];
    return draw("path", { class: "edge", d: `M${a.x + 180} ${a.y + 13}C${a.x + 220} ${a.y + 13} ${b.x - 40} ${b.y + 13} ${b.x} ${b.y + 13}` });
  });
  const boxes = concerned.map((unit) => {
    const { name, slug, goals } = units[unit];
    const { x, y } = place.get(unit);
    const covered = goals.filter((goal) => goal.s === 0).length;
    const share = goals.length ? covered / goals.length : 1;
    return draw("a", { href: "#fn-" + slug },
      draw("rect", { class: "box", x, y, width: 180, height: 26, rx: 4 }),
      draw("rect", { class: "empty", x: x + 4, y: y + 20, width: 172, height: 3 }), draw("rect", { class: "fill", x: x + 4, y: y + 20, width: 172 * share, height: 3 }),
      draw("text", { x: x + 6, y: y + 15 }, short(name, 20)), draw("text", { class: "small", x: x + 175, y: y + 15, "text-anchor": "end" }, `${covered}/${goals.length}`),
      draw("title", {}, `${name}: ${covered} of ${goals.length} goals covered`));
  });
  const [width, height] = [columns.length * across, 20 + Math.max(...columns.map((column) => column.length)) * down];
  const alone = units.length - concerned.length;
  const frame = zoomable(draw("svg", {}, lines, boxes), width, height, "Calls among the functions under test. Plus and minus zoom, arrows move.");
  byId("calls").replaceChildren(make("h2", {}, "Calls"),
    make("p", { class: "quiet" }, "Who may call whom, from left to right, and how many goals are covered." + (alone ? ` ${alone} functions have no such call.` : "")),
    frame);
  byId("calls").hidden = false;
}

/** A column for each function: behind all that call it, as far as that is no circle. */
function layers(concerned, edges) {
  const layer = new Map(concerned.map((unit) => [unit, 0]));
  const below = new Map();
  for (const [from, to] of edges) below.set(from, [...(below.get(from) ?? []), to]);
  const state = new Map();
  const order = [];
  const forward = [];
  for (const root of concerned) {
    const stack = [[root, 0]];
    while (stack.length) {
      const top = stack.at(-1);
      const [unit, at] = top;
      if (at === 0) {
        if (state.has(unit)) { stack.pop(); continue; }
        state.set(unit, "open");
      }
      const next = (below.get(unit) ?? [])[at];
      top[1]++;
      if (next === undefined) {
        state.set(unit, "done");
        order.push(unit);
        stack.pop();
      } else if (state.get(next) !== "open") {
        forward.push([unit, next]);
        if (!state.has(next)) stack.push([next, 0]);
      }
    }
  }
  const after = new Map();
  for (const [from, to] of forward) after.set(from, [...(after.get(from) ?? []), to]);
  for (const unit of order.reverse()) for (const to of after.get(unit) ?? []) layer.set(to, Math.max(layer.get(to), layer.get(unit) + 1));
  return layer;
}

start();
