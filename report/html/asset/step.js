
// Steps are the sentences of a trace, one below the other. The one at hand is open:
// it shows what it changed, and each of its writes.
class Steps {
  constructor(film, seek) {
    this.film = film;
    const start = h("li", { class: "step start" }, h("button", { type: "button", onclick: () => seek(0) },
      h("span", { class: "number" }, "0"), h("span", { class: "sentence" }, h("b", {}, "start"))));
    this.items = [start, ...film.steps.map((step, i) => this.item(step, i, seek))];
    this.list = h("ol", { class: "steps", "aria-label": "steps" }, this.items);
    this.element = h("div", { class: "story" }, this.list, ending(film));
    this.open = null;
  }

  item(step, i, seek) {
    const repeats = this.film.loops && i >= this.film.data.loop;
    return h("li", { class: repeats ? "step repeats" : "step" }, h("button", { type: "button", onclick: () => seek(i + 1) },
      h("span", { class: "number" }, String(i + 1)),
      h("span", { class: "sentence" }, h("b", {}, step.actor), " ", step.action, step.note && h("small", {}, step.note))));
  }

  // detail is what the step changed; of the start, what there is.
  detail(position) {
    if (position === 0) {
      return h("div", { class: "detail" }, h("ul", { class: "initial" }, this.film.data.initial.map((line) => h("li", {}, line))));
    }
    const step = this.film.steps[position - 1];
    return h("div", { class: "detail" }, differences(step), writes(step), wholeState(step));
  }

  show() {
    if (this.open) {
      this.open.classList.remove("open");
      this.open.firstChild.removeAttribute("aria-current");
      if (this.open.childNodes.length > 1) this.open.lastChild.remove();
    }
    this.open = this.items[this.film.at];
    this.open.classList.add("open");
    this.open.firstChild.setAttribute("aria-current", "step");
    this.open.append(this.detail(this.film.at));
    const { list, open } = this;
    if (open.offsetTop < list.scrollTop + 30 || open.offsetTop + open.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = open.offsetTop - list.clientHeight / 3;
    }
  }

  // paper opens every step, and returns what closes them again.
  paper() {
    const added = [];
    this.items.forEach((item, position) => {
      if (item !== this.open) {
        const detail = this.detail(position);
        item.append(detail);
        added.push(detail);
      }
    });
    return () => added.forEach((detail) => detail.remove());
  }
}

// ending says how the trace ends.
function ending(film) {
  const first = film.data.loop + 1, last = film.length;
  if (film.rests) return h("p", { class: "ending" }, "This state stays for ever: nothing is left to do.");
  if (!film.loops) return null;
  return h("p", { class: "ending" }, first === last ? `↻ Step ${first} repeats for ever.` : `↻ Steps ${first} to ${last} repeat for ever.`);
}

// differences are the fields that a step changed, by their objects.
function differences(step) {
  const objects = new Map();
  for (const [object, field, ...values] of step.changes || []) {
    if (!objects.has(object)) objects.set(object, []);
    objects.get(object).push([field, ...values]);
  }
  if (objects.size === 0) return h("p", { class: "nothing" }, "Nothing that is written changes.");
  return h("div", { class: "diff" }, [...objects].map(([object, fields]) => h("div", { class: "object" }, object && h("h5", {}, object),
    fields.map((field) => fieldLine(...field)))));
}

// fieldLine is a field that changes. The page puts signs before what was and what is.
function fieldLine(field, from, to) {
  return h("p", { class: "field" }, h("span", { class: "path" }, field),
    from !== "" && h("del", {}, from), to !== "" && h("ins", {}, to));
}

// wholeState is the state that a step leads to, and where the step stands in a file.
function wholeState(step) {
  return [step.place && h("p", { class: "field" }, h("small", {}, step.place)), step.state && h("details", { class: "writes" }, h("summary", {}, "the whole state"),
    h("ul", { class: "initial" }, step.state.map((text) => h("li", {}, text))))];
}

const roles = { environment: "happens", controller: "written by", inner: "inside" };

// writes are the acts of a step, as programs read them.
function writes(step) {
  const all = step.writes || [];
  if (all.length === 0) return null;
  return h("details", { class: "writes" }, h("summary", {}, many(all.length, "write", "writes")),
    all.map((w) => h("div", { class: "write" },
      h("p", {}, h("code", {}, w.verb), " ", w.object, h("small", {}, `${roles[w.role] || w.role} ${w.by}`)),
      (w.lines || []).map(([path, from, to]) => fieldLine(path, from, to)))));
}
