
// The parts of a finding.

// excerpts are lines of manifests, file by file, with what is said of them below each.
function excerpts(all) {
  const files = new Map();
  for (const e of all) {
    if (!files.has(e.file)) files.set(e.file, []);
    files.get(e.file).push(e);
  }
  return [...files].map(([file, of]) => {
    of.sort((a, b) => a.line - b.line);
    const marks = of.flatMap((e) => e.marks);
    const about = [...new Set(marks.map((m) => [m.object, m.field].filter(Boolean).join(" · ")))].filter(Boolean);
    return h("figure", { class: "excerpt" },
      h("figcaption", {}, h("b", {}, `${file}:${Math.min(...marks.map((m) => m.line))}`), about.map((text) => h("span", {}, text))),
      h("div", { class: "code", role: "group", tabindex: 0, "aria-label": `lines of ${file}` },
        of.map((e, i) => [i > 0 && h("div", { class: "gap", "aria-hidden": "true" }, "⋮"), ...lines(e)])));
  });
}

function lines(e) {
  return e.text.flatMap((text, i) => {
    const number = e.line + i;
    const marks = e.marks.filter((m) => m.line === number);
    return [h("div", { class: marks.length > 0 ? "line culprit" : "line" }, h("span", { class: "number" }, String(number)), h("code", {}, text || " ")),
      ...[...together(marks)].map(([message, some]) => h("div", { class: "line says" }, h("span", { class: "number" }),
        h("code", {}, " ".repeat(Math.min(...some.map((m) => m.column), 60)) + "╰ "), h("b", {}, message)))];
  });
}

function together(marks) {
  const out = new Map();
  for (const m of marks) {
    if (!out.has(m.text)) out.set(m.text, []);
    out.get(m.text).push(m);
  }
  return out;
}

function notes(all) {
  return h("ul", { class: "notes" }, all.map((n) => h("li", {}, n.place && h("code", {}, n.place), n.place && " ", n.text,
    (n.object || n.field) && h("small", {}, [n.object, n.field].filter(Boolean).join(" · ")))));
}

// suggestions are changes that mend a finding, with their patches.
function suggestions(all) {
  return all.map((s, i) => h("div", { class: "suggestion" },
    h("p", {}, i > 0 && "or ", h("b", {}, s.title)), h("p", {}, h("small", {}, `Cost: ${s.cost}. Checked up to: ${s.bound}.`)),
    h("div", { class: "code", role: "group", tabindex: 0, "aria-label": `patch ${i + 1}` },
      s.patch.map((line) => h("div", { class: "line patch", "data-sign": line.slice(0, 1) }, h("code", {}, line || " "))))));
}

// applied are differences one after another, each as a patch.
function applied(all) {
  return all.length > 0 && h("ol", { class: "applied" }, all.map((d, i) => h("li", {}, h("p", {}, h("b", {}, d.title), d.note && h("small", {}, d.note)),
    d.rows && h("div", { class: "code", role: "group", tabindex: 0, "aria-label": `changes of step ${i + 1}` }, d.rows.flatMap(patch)), d.more && h("p", {}, h("small", {}, d.more)))));
}

// patch is a row as lines with signs.
function patch(row) {
  if (row.alike) return line(" ", row.before);
  return [row.before !== undefined && line("-", row.before), row.after !== undefined && line("+", row.after)];
}

function line(sign, text) {
  return h("div", { class: "line patch", "data-sign": sign }, h("code", {}, `${sign} ${text}`));
}

// compared are two versions of an object beside each other.
function compared(d) {
  const cell = (text, sign) => h("td", { "data-sign": text === undefined ? false : sign }, text !== undefined && h("code", {}, text));
  return h("figure", { class: "excerpt compared" }, h("figcaption", {}, h("b", {}, d.title), (d.fields || []).map((text) => h("code", { class: "path" }, text)), d.note && h("span", {}, d.note)),
    d.rows && h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, d.before), h("th", { scope: "col" }, d.after))),
      h("tbody", {}, d.rows.map((row) => h("tr", { class: row.alike ? "alike" : false }, cell(row.before, row.alike ? " " : "-"), cell(row.after, row.alike ? " " : "+"))))),
    d.more && h("p", { class: "rest" }, d.more));
}

// section is one with a heading, or nothing if there is nothing in it.
function section(name, title, ...children) {
  const inside = children.flat().filter(Boolean);
  return inside.length === 0 ? null : h("section", { class: name }, h("h2", {}, title), inside);
}

function witnesses(all) {
  return h("ul", { class: "witnesses" }, all.map((w) => h("li", { class: w.reached ? "reached" : "missed" },
    w.name, h("small", {}, w.reached ? (w.steps ? `reached in ${many(w.steps, "step", "steps")}` : "reached") : "never reached"))));
}

// nameOf is a property with what it is about.
function nameOf(f) {
  return h("p", { class: "rule" }, f.rule && h("b", {}, f.rule), f.rule && " ", f.name, f.subject && h("span", {}, f.subject));
}

// whole shows a finding: what, why, how. stated tells that the page has said what.
function whole(f, traces, stated) {
  const players = (f.traces || []).map((i, _, all) => new Player(traces[i], all.length));
  const element = h("article", { class: "finding", "data-verdict": f.verdict },
    f.verdict === "walk" ? null : nameOf(f), !stated && f.message && h("h2", { class: /^\S*[.[/]/.test(f.message) ? "message literal" : "message" }, f.message), f.reason && h("p", { class: "reason" }, f.reason),
    f.vacuous && h("p", { class: "reason" }, `It could not have failed: ${f.vacuous}.`),
    section("applied", "What was done", applied(f.applied || [])),
    section("compared", "What is different", (f.compared || []).map(compared)),
    section("leads", "What comes of it", f.consequences && f.consequences.length > 0 && notes(f.consequences.map((text) => ({ text })))),
    section("cause", f.applied ? "More of it" : "Why", excerpts(f.excerpts || []), f.causes && notes(f.causes)),
    section("suggest", "What would mend it", suggestions(f.suggestions || []), f.unmended && h("p", {}, `No change is suggested: ${f.unmended}.`)),
    section("trace", "What happens", players.length > 0 && h("p", { class: "hint" }, "Step with ", h("kbd", {}, "←"), " ", h("kbd", {}, "→"), ", play with ", h("kbd", {}, "space"), "."),
      players.length > 0 && h("div", { class: players.length > 1 ? "beside" : "alone" }, players.map((p) => p.element))),
    players.length === 0 && f.witnesses && section("reach", "What was reachable", witnesses(f.witnesses)));
  return { element, players };
}
