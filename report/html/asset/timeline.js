
// A Timeline has a lane for each actor, and for each workload and node that a step is
// about, and a column for each step. What repeats is shaded.
class Timeline {
  constructor(film, hues, name, seek, beside) {
    this.film = film;
    this.name = name;
    this.seek = seek;
    const actors = [...new Set(film.steps.map((step) => step.actor))];
    const touched = new Set(film.steps.flatMap((step) => step.lanes || []));
    const nodes = (film.data.cluster ? film.data.cluster.nodes : []).map((n) => "Node " + n.name);
    const others = [...touched].filter((lane) => !nodes.includes(lane) && !lane.startsWith("ReplicaSet ")).sort();
    this.lanes = [...actors.map((lane) => ({ name: lane, actor: true })),
      ...others.map((lane) => ({ name: lane, hue: hues.get(lane) })),
      ...nodes.filter((lane) => touched.has(lane)).map((lane) => ({ name: lane, node: true }))];
    this.row = 22;
    this.head = 30;
    this.height = this.head + this.lanes.length * this.row + 6;
    this.element = h("div", { class: "timeline" });
    const least = film.length <= 36 ? 26 : film.length <= 120 ? 14 : 8;
    this.draw(Math.min(1240, document.documentElement.clientWidth - 40) * 0.82 / beside - 12, least);
  }

  // draw fills so much room with columns, if they are as wide as the least.
  draw(room, least) {
    this.column = Math.max(least, Math.min(96, Math.floor(room / (this.film.length + 1))));
    this.width = (this.film.length + 1) * this.column + 12;
    this.element.replaceChildren(this.build());
  }

  // paper draws it for a printed page, or not if it is too long for one.
  paper() {
    const { column } = this;
    if (this.film.length > 150) this.element.hidden = true;
    else this.draw(500, 3);
    this.show();
    return () => {
      this.element.hidden = false;
      this.draw(0, column);
      this.show();
    };
  }

  x(position) { return (position + 0.5) * this.column; }
  y(lane) { return this.head + (lane + 0.5) * this.row; }

  build() {
    const names = h("div", { class: "lanes", "aria-hidden": "true" }, h("div", { class: "lanes-head" }),
      this.lanes.map((lane) => h("div", { class: lane.actor ? "lane actor" : "lane", title: lane.name },
        lane.node ? lane.name.slice("Node ".length) : lane.actor ? lane.name : this.name(lane.name))));
    this.now = s("rect", { class: "now", y: 0, width: this.column, height: this.height, rx: 4 });
    const drawing = s("svg", { width: this.width, height: this.height, viewBox: `0 0 ${this.width} ${this.height}`, "aria-hidden": "true" },
      this.loop(), this.now, this.rules(), this.numbers(), this.film.steps.map((step, i) => this.mark(step, i + 1)));
    drawing.addEventListener("click", (event) => {
      const x = (event.clientX - drawing.getBoundingClientRect().left);
      this.seek(Math.max(0, Math.min(this.film.length, Math.floor(x / this.column))));
    });
    this.scroll = h("div", { class: "columns" }, drawing);
    return h("div", { class: "timeline-body" }, names, this.scroll);
  }

  // loop shades the columns that repeat, with an arrow back over them.
  loop() {
    const { film } = this;
    if (film.rests) {
      const x = this.x(film.length) + this.column / 2;
      return s("line", { class: "rest", x1: x, x2: x, y1: this.head - 8, y2: this.height });
    }
    if (!film.loops) return null;
    const from = (film.data.loop + 1) * this.column, to = (film.length + 1) * this.column;
    const first = this.x(film.data.loop + 1), last = this.x(film.length), y = 7;
    const arrow = film.length - film.data.loop > 1
      ? [s("path", { class: "arc", d: `M${last} 13 L${last} ${y} L${first} ${y} L${first} 12` }),
        s("path", { class: "tip", d: `M${first - 3.5} 9.5 L${first} 14 L${first + 3.5} 9.5 Z` })]
      : [];
    return s("g", { class: "loop" }, s("rect", { x: from, y: 0, width: to - from, height: this.height, rx: 4 }), arrow);
  }

  rules() {
    return this.lanes.map((lane, i) => s("line", { class: "rule", x1: 0, x2: this.width, y1: this.y(i), y2: this.y(i) }));
  }

  numbers() {
    const every = this.column >= 22 ? 1 : this.column >= 8 ? 10 : 20;
    const out = [];
    for (let n = every; n <= this.film.length; n += every) {
      out.push(s("text", { class: "number", x: this.x(n), y: this.head - 6 }, String(n)));
    }
    return out;
  }

  mark(step, position) {
    const about = new Set(step.lanes || []);
    const at = [];
    this.lanes.forEach((lane, i) => { if (lane.actor ? lane.name === step.actor : about.has(lane.name)) at.push(i); });
    const x = this.x(position), size = Math.min(6, this.column / 2.4);
    const thread = s("line", { class: "thread", x1: x, x2: x, y1: this.y(at[0]), y2: this.y(at[at.length - 1]) });
    return s("g", { class: "mark" }, thread, at.map((i) => {
      const lane = this.lanes[i];
      if (lane.actor) return s("circle", { class: "who", cx: x, cy: this.y(i), r: size });
      const r = size * 0.72;
      return s("rect", { class: lane.hue === undefined ? "what" : `what w${lane.hue}`, x: x - r, y: this.y(i) - r, width: 2 * r, height: 2 * r, rx: 1.5 });
    }), s("title", {}, `${position}. ${step.actor}: ${step.action}`));
  }

  show() {
    const x = this.film.at * this.column;
    this.now.setAttribute("x", x);
    const { scroll } = this;
    if (x < scroll.scrollLeft + 20 || x + this.column > scroll.scrollLeft + scroll.clientWidth - 20) {
      scroll.scrollLeft = x - scroll.clientWidth / 2;
    }
  }
}
