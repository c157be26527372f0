
// The page: what it says of the report, which finding it shows, and the keyboard.

const data = JSON.parse(document.getElementById("data").textContent);
const shown = { element: null, players: [] };
const place = h("div", { class: "shown" });
const ranks = { violated: 0, walk: 0, inconclusive: 1, ignored: 2, holds: 3 };
const order = data.findings.map((f, i) => i).sort((a, b) => (ranks[data.findings[a].verdict] - ranks[data.findings[b].verdict]) || a - b);

// choose shows one finding, by its index.
function choose(index) {
  shown.players.forEach((p) => p.stop());
  const f = data.findings[index];
  Object.assign(shown, whole(f, data.traces, f.message === data.sentence && index === order[0]));
  place.replaceChildren(shown.element);
  shown.players.forEach((p) => p.show());
  for (const row of document.querySelectorAll(".list [data-index]")) {
    const is = Number(row.dataset.index) === index;
    row.classList.toggle("chosen", is);
    if (is) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
}

// list has every property with its verdict, behind filters if there are many.
function list() {
  if (data.findings.length === 0 || data.verdict === "walk") return null;
  const verdicts = ["violated", "inconclusive", "ignored", "holds"].map((v) => [v, data.findings.filter((f) => f.verdict === v).length]).filter(([, n]) => n > 0);
  const off = new Set();
  const search = h("input", { type: "search", placeholder: "filter by name or object", "aria-label": "filter by name or object", oninput: () => apply() });
  const rows = order.map((i) => {
    const f = data.findings[i];
    const row = h("li", { "data-index": i, "data-verdict": f.verdict }, h("a", { href: `#finding-${i + 1}` },
      h("span", { class: "badge" }, f.verdict), h("span", { class: "name" }, f.rule && h("b", {}, f.rule), f.rule && " ", f.name), h("span", { class: "subject" }, f.subject),
      h("small", {}, [f.message, f.reason, f.vacuous && `could not have failed: ${f.vacuous}`].filter(Boolean).join(" — "))));
    row.text = [f.rule, f.name, f.subject, f.message, f.reason].join(" ").toLowerCase();
    return row;
  });
  const none = h("p", { class: "nothing", hidden: true }, "Nothing like this.");
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let visible = 0;
    for (const row of rows) {
      row.hidden = off.has(row.dataset.verdict) || !words.every((word) => row.text.includes(word));
      if (!row.hidden) visible++;
    }
    none.hidden = visible > 0;
  };
  const chips = verdicts.map(([v, n]) => h("label", { "data-verdict": v }, h("input", {
    type: "checkbox", checked: true, onchange: (event) => { if (event.target.checked) off.delete(v); else off.add(v); apply(); },
  }), `${n} ${v}`));
  const all = section("properties", data.findings.length === 1 ? "The property" : `All ${data.findings.length} properties`,
    data.findings.length > 3 && h("div", { class: "filters" }, chips, search), h("ul", { class: "list" }, rows), none);
  all.id = "properties";
  return all;
}

function repeat() {
  if (!data.command) return null;
  const command = (text) => {
    const button = h("button", { type: "button", onclick: () => copy(button, text) }, "copy");
    return h("p", { class: "command" }, h("code", {}, text), button);
  };
  return section("repeat", "To repeat it", command(data.command),
    data.replay && h("p", { class: "hand" }, "On a real control plane, without machines:"), data.replay && command(data.replay));
}

function copy(button, text) {
  const done = () => { button.textContent = "copied"; };
  const selects = () => {
    getSelection().selectAllChildren(button.previousSibling);
    button.textContent = "selected";
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, selects);
  else selects();
}

function foundation() {
  const blocking = data.omissions.filter((o) => o.blocking && !o.accepted);
  const others = data.omissions.filter((o) => !o.blocking || o.accepted);
  const told = (all) => all.map((o) => ({ ...o, text: `${o.name}: ${o.text}${o.accepted ? " (accepted)" : ""}` }));
  return [
    section("blocking", "Left out of account, and it could matter", blocking.length > 0 && notes(told(blocking))),
    h("div", { class: "pair" },
      section("assumed", "What is assumed", data.assumptions.length > 0 && notes(data.assumptions.map((text) => ({ text })))),
      section("omitted", "Not taken into account", others.length > 0 && notes(told(others)))),
    section("warnings", "Warnings", data.warnings.length > 0 && notes(data.warnings)),
  ];
}

function explored() {
  return section("explored", "What was explored",
    data.explored.length > 0 && h("dl", {}, data.explored.map((f) => h("div", { class: f.value.length > 14 ? "long" : false }, h("dt", {}, f.name), h("dd", {}, f.value)))),
    data.growth && h("div", {}, h("h3", {}, "How the states became so many"), notes(data.growth.map((text) => ({ text })))),
    data.actions && h("div", {}, h("h3", {}, "How often each action was taken"), notes(data.actions.map((text) => ({ text })))),
    data.reductions && h("div", {}, h("h3", {}, "Left out of the states, because it cannot matter"), notes(data.reductions.map((text) => ({ text })))),
    data.undecided && h("div", {}, h("h3", {}, "Sizes without a verdict"), notes(data.undecided.map((text) => ({ text })))));
}

function keyboard(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input[type=search]")) return;
  if (event.key === " " && event.target.matches("button, summary, a, input, label")) return;
  if (event.target.matches("input[type=range]") && event.key !== " " && shown.players.length < 2) return;
  let used = false;
  for (const player of shown.players) used = player.key(event.key) || used;
  if (used) event.preventDefault();
}

function chosen() {
  const m = /^#finding-(\d+)$/.exec(location.hash);
  return m && data.findings[m[1] - 1] ? m[1] - 1 : null;
}

// coverage is what was tried of a schema, a row for each property.
function coverage() {
  const c = data.coverage;
  if (!c) return null;
  const cases = (all) => (all || []).map((one) => h("span", { class: "case", "data-fate": one.fate, title: one.reason || false }, one.name, h("small", {}, one.said)));
  return section("coverage", "What was tried of the schema", notes(c.lines.map((text) => ({ text }))),
    h("details", {}, h("summary", {}, `${many(c.rows.length, "property", "properties")}, each with its cases`),
      h("div", { class: "wide", role: "group", tabindex: 0, "aria-label": "properties and their cases" }, h("table", {}, h("thead", {}, h("tr", {}, ["property", "type", "cases"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, c.rows.map((row) => h("tr", {}, h("td", {}, h("code", {}, row.property)), h("td", {}, row.type), h("td", {}, cases(row.cases))))))),
      c.more && h("p", {}, h("small", {}, c.more)),
      c.others && h("h3", {}, "Not tried by themselves"), c.others && notes(c.others)));
}

// reach is what every property together had to see to mean something.
function reach() {
  const all = new Map();
  for (const w of data.findings.flatMap((f) => f.witnesses || [])) {
    const known = all.get(w.name);
    if (known === undefined || w.reached && !known.reached) all.set(w.name, w);
  }
  return section("reach", "What was reachable", all.size > 0 && witnesses([...all.values()]));
}

function begin() {
  const main = document.querySelector("main");
  const crowd = data.findings.filter((f) => f.verdict === "violated").length > 3;
  const proof = data.verdict === "holds";
  const parts = crowd ? [list(), place, repeat(), ...foundation(), coverage(), explored()]
    : proof ? [explored(), coverage(), reach(), list(), place, ...foundation(), repeat()]
      : [...(data.verdict === "inconclusive" ? [foundation()[0]] : []), place, repeat(), ...(data.verdict === "inconclusive" ? foundation().slice(1) : foundation()), coverage(), explored(), list()];
  main.append(...parts.flat().filter(Boolean), h("footer", {}, data.tool));
  place.classList.toggle("several", data.findings.length > 1 && (crowd || proof));
  const first = order[0];
  if (chosen() !== null) choose(chosen());
  else if (first !== undefined && !proof) choose(first);
  addEventListener("hashchange", () => {
    if (chosen() === null) return;
    choose(chosen());
    place.scrollIntoView();
  });
  addEventListener("keydown", keyboard);
  let close = [];
  addEventListener("beforeprint", () => { close = shown.players.map((p) => p.paper()); });
  addEventListener("afterprint", () => { close.forEach((f) => f()); close = []; });
}

begin();
