// The report with script: one function at a time, its source with every goal in place, search, sorting and keys.
// Takes the JSON text of the page and the sections inside its noscript elements, which it shows when they are asked for.
// All text becomes text nodes. Never: loading anything.
"use strict";

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const units = data.units;
const NEEDS_A_TEST = 1 << 1 | 1 << 3; // only by fault programs, open
const needsTest = (goal) => (NEEDS_A_TEST >> goal.s & 1) === 1;
const standing = (index) => ({ name: data.standings[index][0], words: data.standings[index][1], sign: data.standings[index][2] });
const unitOf = new Map(units.map((unit, index) => [unit.slug, index]));
const goalOf = new Map();
units.forEach((unit, index) => unit.goals.forEach((goal) => goalOf.set(goal.id, [index, goal])));
const toCover = units.flatMap((unit, index) => unit.goals.filter(needsTest).sort(inOrder).map((goal) => [index, goal]));
const callers = units.map(() => []);
units.forEach((unit, index) => unit.calls.forEach((to) => typeof to === "number" && callers[to].push(index)));

/** An element with attributes and children; text is text. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || value === null) continue;
    if (key === "onclick") element.addEventListener("click", value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

function inOrder(one, other) {
  return one.f - other.f || one.l - other.l || one.c - other.c;
}

function outcome(goal) {
  return goal.o === "independent" ? "decides alone" : "is " + goal.o.replace("-", " ");
}

// ---- One function ----------------------------------------------------------------------------------------------------

const FEW = 4; // tests named before the others fold
let shownUnit = null; // index
let shownGoal = null; // its id

function showOverview() {
  byId("unit").hidden = true;
  byId("overview").hidden = false;
  document.title = "Tarka report";
}

function showUnit(index) {
  byId("overview").hidden = true;
  byId("unit").hidden = false;
  document.title = units[index].name + " - Tarka report";
  if (shownUnit === index) return;
  shownUnit = index;
  shownGoal = null;
  const section = sectionOf(units[index].slug);
  section.querySelector(".by-line")?.remove();
  section.querySelector(".source-view").append(...sourceView(index));
  section.querySelector(".pictures").append(...unitPictures(index));
  byId("unit").replaceChildren(crumbs(index), section);
}

/** The section of a function as it stands in its noscript element. */
function sectionOf(slug) {
  const all = [...document.querySelectorAll("noscript[data-function]")];
  const text = all.find((element) => element.dataset.function === slug).textContent;
  const section = document.createRange().createContextualFragment(text).firstElementChild;
  // The address of a function is that of its first screen, which begins above the section.
  section.removeAttribute("id");
  return section;
}

function crumbs(index) {
  const link = (to) => make("a", { href: "#fn-" + units[to].slug }, units[to].name);
  const list = (title, links) => (links.length ? make("span", {}, title + " ", ...links.flatMap((one, at) => (at ? [", ", one] : [one]))) : null);
  const called = units[index].calls.map((to) => (typeof to === "number" ? link(to) : to));
  return make("p", { class: "crumbs" },
    make("a", { href: "#" }, "← All functions"),
    list("Called by", [...new Set(callers[index])].map(link)),
    list("May call", called));
}

// ---- Source ----------------------------------------------------------------------------------------------------------

function sourceView(index) {
  const unit = units[index];
  if (!unit.goals.length) return [];
  const lines = new Map(); // "file:line" to goals
  for (const goal of unit.goals) {
    const key = goal.f + ":" + goal.l;
    lines.set(key, [...(lines.get(key) ?? []), goal]);
  }
  const source = make("div", { class: "source", role: "region", "aria-label": "Source of " + unit.name, tabindex: "0" });
  let file = null;
  for (const [number, first, last] of rangesOf(unit)) {
    if (file !== number) source.append(make("h4", {}, data.files[number].name));
    else source.append(make("div", { class: "ln" }, make("span", { class: "no" }, "⋮")));
    file = number;
    for (let from = first; from <= last; from += 50) {
      const chunk = make("div", { class: "chunk" });
      for (let line = from; line <= Math.min(last, from + 49); line++) chunk.append(...lineRow(unit, number, line, lines.get(number + ":" + line)));
      source.append(chunk);
    }
  }
  const key = make("p", { class: "key" }, ...data.standings.map(([name, words, sign]) => make("span", { class: name }, sign + " " + words)));
  const hint = make("p", { class: "quiet" }, "Click a marked place or a line's figure for its verdict.");
  const verdict = make("aside", { class: "verdict", "aria-live": "polite", "aria-label": "Verdict" }, hint);
  return [make("h3", { id: "source" }, "Source"), key, make("div", { class: "reading" }, source, verdict)];
}

/** What is shown: the ranges with text, and single lines where the text is not there. */
function rangesOf(unit) {
  const covered = (goal) => unit.ranges.some(([file, first, last]) => file === goal.f && first <= goal.l && goal.l <= last);
  const bare = unit.goals.filter((goal) => !covered(goal)).map((goal) => goal.f + ":" + goal.l);
  const alone = [...new Set(bare)].map((key) => key.split(":").map(Number)).map(([file, line]) => [file, line, line]);
  return [...unit.ranges, ...alone].sort((one, other) => one[0] - other[0] || one[1] - other[1]);
}

function textOf(file, line) {
  const part = data.files[file].parts.find(([from, lines]) => from <= line && line < from + lines.length);
  return part ? part[1][line - part[0]] : undefined;
}

function lineRow(unit, file, line, goals) {
  const text = textOf(file, line) ?? goals?.[0].t ?? "";
  const worst = goals ? worstOf(goals) : null;
  const covered = goals?.filter((goal) => goal.s === 0).length;
  const label = goals && `Line ${line}: ${covered} of ${goals.length} goals covered`;
  const side = goals && make("button", { type: "button", class: standing(worst).name, "aria-label": label, title: label, onclick: () => choose(unit, goals.find((goal) => goal.s === worst)) },
    standing(worst).sign + " " + covered + "/" + goals.length);
  const code = make("code", {}, ...(goals ? marked(unit, text, goals) : [text]));
  const row = make("div", { class: "ln" + (goals ? " " + standing(worst).name : ""), "data-line": file + ":" + line },
    make("span", { class: "no" }, String(line)), make("span", { class: "side" }, side), code);
  const faults = unit.faults.filter(([at, on]) => at === file && on === line);
  const said = faults.map(([, , kind, what, link]) => make("div", { class: "said " + kind }, "⚠ " + kind + ": ", make("a", { href: "#" + link }, what)));
  return [row, ...said];
}

/** The standing that asks for most. */
function worstOf(goals) {
  return [3, 1, 4, 2, 0].find((index) => goals.some((goal) => goal.s === index));
}

/** A line with a button for each place that has goals; of places inside each other, the smallest. */
function marked(unit, text, goals) {
  const places = new Map();
  for (const goal of goals) {
    const start = Math.min(goal.c - 1, Math.max(text.length - 1, 0));
    const end = start + common(text.slice(start), goal.t);
    const key = start + ":" + end;
    if (!places.has(key)) places.set(key, { start, end, goals: [] });
    places.get(key).goals.push(goal);
  }
  const sorted = [...places.values()].sort((one, other) => other.end - other.start - (one.end - one.start) || one.start - other.start);
  const owner = new Array(text.length).fill(null);
  for (const place of sorted) owner.fill(place, place.start, place.end);
  const parts = [];
  for (let at = 0; at < text.length; ) {
    let end = at + 1;
    while (end < text.length && owner[end] === owner[at]) end++;
    parts.push(owner[at] ? mark(unit, text.slice(at, end), owner[at], end) : text.slice(at, end));
    at = end;
  }
  return parts;
}

function mark(unit, text, place, end) {
  const worst = worstOf(place.goals);
  const words = place.goals.map((goal) => outcome(goal) + ": " + standing(goal.s).words).join(", ");
  const sides = place.goals.filter((goal) => goal.s !== 0).map((goal) => sideWord(goal) + " " + standing(goal.s).sign);
  const last = end === place.end && sides.length > 0;
  return make("button", { type: "button", class: "mark " + standing(worst).name, title: words, "aria-label": text + ": " + words,
    "data-sides": last && sides.join("  "), "data-goals": place.goals.map((goal) => goal.id).join(" "), onclick: () => choose(unit, place.goals.find((goal) => goal.s === worst)) }, text);
}

function sideWord(goal) {
  return { true: "T", false: "F", executed: "run", taken: "taken", "not-taken": "not", independent: "alone" }[goal.o] ?? goal.o;
}

function common(line, text) {
  let length = 0;
  while (length < line.length && line[length] === text[length]) length++;
  // A case is spoken of by the value it is compared with: what is marked is the label.
  return length > 1 ? length : Math.max(line.match(/^(case\b[^:]*|\w+)/)?.[0].length ?? 0, 1);
}

/** Shows a goal's verdict and remembers it in the address. */
function choose(unit, goal) {
  if (location.hash === "#" + encodeURI(goal.id)) showGoal(unit, goal, false);
  else location.hash = encodeURI(goal.id);
}

function showGoal(unit, goal, scroll) {
  shownGoal = goal.id;
  const line = document.querySelector(`#unit [data-line="${goal.f}:${goal.l}"]`);
  document.querySelectorAll("#unit .here").forEach((element) => element.classList.remove("here"));
  line?.classList.add("here");
  for (const button of line?.querySelectorAll(".mark") ?? []) {
    if (button.dataset.goals.split(" ").includes(goal.id)) button.classList.add("here");
  }
  const panel = document.querySelector("#unit .verdict");
  const others = unit.goals.filter((other) => other !== goal && other.f === goal.f && other.l === goal.l);
  const onLine = [goal, ...others.sort((one, other) => one.c - other.c)];
  panel.replaceChildren(make("h4", {}, data.files[goal.f].name + ":" + goal.l), ...onLine.map((one) => verdict(unit, one, one === goal)));
  panel.scrollTop = 0;
  if (scroll) line?.scrollIntoView({ block: "center" });
}

function verdict(unit, goal, here) {
  const { name, words, sign } = standing(goal.s);
  const tests = goal.tests ?? [];
  const named = (some) => some.flatMap((test, at) => [at ? ", " : "", make("a", { href: "#test-" + unit.slug + ":" + unit.shown[test] }, unit.shown[test])]);
  const others = tests.slice(FEW);
  const links = [...named(tests.slice(0, FEW)), others.length ? make("details", {}, make("summary", {}, `and ${others.length} more`), ...named(others)) : null];
  return make("article", { class: here ? "here" : undefined },
    make("p", {}, make("code", {}, goal.t), " " + outcome(goal)),
    make("p", {}, make("span", { class: "tag " + name }, sign + " " + words), goal.cause ? [" ", make("span", { class: "tag" }, goal.cause)] : null),
    goal.why ? make("p", {}, goal.why, goal.at ? ` (${goal.at})` : "") : null,
    goal.advice ? make("p", {}, "→ " + goal.advice) : null,
    tests.length ? make("div", {}, goal.pair ? "Shown together by " : "Shown by ", ...links) : null,
    make("p", { class: "quiet" }, [goal.k, goal.run !== undefined ? "first in run " + goal.run : null, goal.attacks ? goal.attacks + " attacks on the proof" : null].filter(Boolean).join(" · "), " · ",
      make("a", { href: "#" + goal.id }, "link")));
}

// ---- The table of functions ------------------------------------------------------------------------------------------

const body = document.querySelector("#function-table tbody");
const rows = [...body.rows];
const order = { key: 0, down: false, chosen: false };

function value(row, column) {
  const text = row.cells[column].dataset.value;
  return column < 2 ? text : Number(text);
}

function showRows() {
  const words = byId("search").value.trim().toLowerCase();
  const filter = byId("filter").value;
  const wanted = (row) => {
    const { function: name, file, status } = row.dataset;
    if (words && !(name + " " + file).toLowerCase().includes(words)) return false;
    if (filter === "open") return value(row, 5) > 0;
    if (filter === "faults") return value(row, 11) + value(row, 12) > 0;
    if (filter === "contracts") return value(row, 13) > 0;
    if (filter === "error") return status === "error" || status === "skipped";
    return !filter || status === filter;
  };
  const compare = (one, other) => {
    const [a, b] = [value(one, order.key), value(other, order.key)];
    const by = typeof a === "string" ? (a < b ? -1 : Number(a > b)) : a - b;
    return order.down ? -by : by;
  };
  const sorted = order.chosen ? [...rows].sort(compare) : rows;
  const shown = sorted.filter(wanted);
  body.replaceChildren(...(byId("by-file").checked ? grouped(shown) : shown));
  byId("shown").textContent = shown.length === rows.length ? "" : `${shown.length} of ${rows.length} functions`;
  for (const finding of document.querySelectorAll("#faults .finding")) {
    const name = finding.dataset.function + " " + finding.querySelector("summary").textContent;
    finding.hidden = words !== "" && !name.toLowerCase().includes(words);
  }
  return shown;
}

/** The rows of each file below a row with its sums. */
function grouped(shown) {
  const files = new Map();
  for (const row of shown) files.set(row.dataset.file, [...(files.get(row.dataset.file) ?? []), row]);
  return [...files].sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([file, members]) => {
    const head = make("tr", { class: "file" }, make("th", {}, file), make("td", {}, `${members.length} functions`));
    for (let column = 2; column < members[0].cells.length; column++) {
      const texts = members.map((row) => row.cells[column].textContent.trim());
      const sums = texts.map((text) => text.split("/").map(Number)).filter((sum) => !sum.some(Number.isNaN));
      const total = [0, 1].map((at) => sums.reduce((sum, one) => sum + (one[at] ?? 0), 0));
      const isShare = texts.some((text) => text.includes("/"));
      const label = members[0].cells[column].dataset.label;
      head.append(make("td", { class: "number", "data-label": label }, make("span", {}, isShare ? total.join("/") : String(total[0]))));
    }
    return [head, ...members];
  });
}

function sortable() {
  document.querySelectorAll("#function-table thead th").forEach((cell, column) => {
    const sort = () => {
      // Numbers are asked for from the largest, what is covered from the least.
      const first = column > 1 && ![2, 6, 7, 8].includes(column);
      Object.assign(order, { down: order.chosen && order.key === column ? !order.down : first, key: column, chosen: true });
      document.querySelectorAll("[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
      cell.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      showRows();
    };
    cell.replaceChildren(make("button", { type: "button", onclick: sort }, cell.textContent));
  });
}

// ---- Addresses, keys, theme, paper -----------------------------------------------------------------------------------

function route() {
  const hash = decodeURIComponent(location.hash.slice(1));
  if (goalOf.has(hash)) {
    const [index, goal] = goalOf.get(hash);
    showUnit(index);
    return showGoal(units[index], goal, true);
  }
  if (hash.startsWith("fn-") && unitOf.has(hash.slice(3))) {
    showUnit(unitOf.get(hash.slice(3)));
    window.scrollTo(0, 0);
    return byId("unit").querySelector("h2").focus({ preventScroll: true });
  }
  const test = hash.match(/^test-(.*):([^:]*)$/);
  if (test && unitOf.has(test[1]) && !test[2].startsWith("fault_")) showUnit(unitOf.get(test[1]));
  else if (hash === "source" && shownUnit !== null) return;
  else showOverview();
  const target = byId(hash);
  const finding = target?.closest("details.finding");
  if (finding) finding.open = true;
  target?.scrollIntoView();
}

/** Goes to the next goal without a test, or the one before, from the goal or the function that is shown. */
function step(by) {
  if (!toCover.length) return;
  let at = toCover.findIndex(([, goal]) => goal.id === shownGoal);
  if (at < 0 && shownUnit !== null && !byId("unit").hidden) {
    const first = toCover.findIndex(([index]) => index >= shownUnit);
    at = by > 0 ? (first < 0 ? -1 : first - 1) : first < 0 ? 0 : first;
  } else if (at < 0) at = by > 0 ? -1 : 0;
  const [, goal] = toCover[(at + by + toCover.length) % toCover.length];
  location.hash = encodeURI(goal.id);
  route(); // A second key may come before the browser tells of the new place.
}

const THEMES = ["auto", "light", "dark"];

function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId("theme").textContent = "Theme: " + theme;
}

function nextTheme() {
  const now = document.documentElement.dataset.theme ?? "auto";
  const next = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
  setTheme(next);
  try { localStorage.setItem("tarka-theme", next); } catch { /* A page from disk may have no storage: it is as the system then. */ }
}

function keptTheme() {
  try { return THEMES.find((theme) => theme === localStorage.getItem("tarka-theme")) ?? "auto"; } catch { return "auto"; }
}

function toggleHelp() {
  byId("help").hidden = !byId("help").hidden;
  byId("keys").setAttribute("aria-expanded", String(!byId("help").hidden));
}

const KEYS = {
  "/": () => { location.hash = "functions"; byId("search").focus(); byId("search").select(); },
  n: () => step(1),
  p: () => step(-1),
  o: () => { location.hash = ""; },
  Escape: () => (byId("overview").hidden ? (location.hash = "") : clearSearch()),
  d: nextTheme,
  "?": toggleHelp,
};

function onKey(event) {
  const typing = event.target.closest?.("input:not([type=checkbox]), select");
  if (typing && event.key === "Escape") { clearSearch(); return typing.blur(); }
  if (typing || event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
}

function clearSearch() {
  byId("search").value = "";
  showRows();
}

function onSearch() {
  if (byId("overview").hidden) location.hash = "functions";
  showRows();
}

/** Paper gets everything unfolded: the sections of all functions. */
function beforePrint() {
  const text = [...document.querySelectorAll("noscript[data-function]")].map((element) => element.textContent).join("");
  byId("everything").replaceChildren(document.createRange().createContextualFragment(text));
}

function start() {
  document.querySelectorAll(".tools, .controls").forEach((element) => { element.hidden = false; });
  setTheme(keptTheme());
  byId("theme").addEventListener("click", nextTheme);
  byId("keys").addEventListener("click", toggleHelp);
  byId("next").addEventListener("click", () => step(1));
  byId("next").hidden = !toCover.length;
  byId("search").addEventListener("input", onSearch);
  byId("search").addEventListener("keydown", (event) => {
    const first = event.key === "Enter" && showRows()[0];
    if (first) location.hash = "fn-" + first.dataset.function;
  });
  byId("filter").addEventListener("change", showRows);
  byId("by-file").addEventListener("change", showRows);
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", route);
  window.addEventListener("beforeprint", beforePrint);
  window.addEventListener("afterprint", () => byId("everything").replaceChildren());
  sortable();
  showCalls();
  route();
}
