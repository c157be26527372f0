
// A Player shows one film: its timeline, a view of its state, and its steps. It stands
// beside others, so many in all.
class Player {
  constructor(data, all) {
    this.film = new Film(data);
    const workloads = (data.cluster ? data.cluster.workloads : []).map((w) => w.object);
    const hues = new Map(workloads.map((object, i) => [object, i % 8])), name = namer(workloads);
    const seek = (position) => { this.stop(); this.seek(position); };
    this.parts = [new Timeline(this.film, hues, name, seek, all), new Steps(this.film, seek)];
    const [timeline, steps] = this.parts;
    if (data.cluster) this.parts.push(new Cluster(this.film, hues, name));
    this.timer = null;
    const view = this.parts[2] ? this.parts[2].element : null;
    this.element = h("div", { class: view ? "player" : "player plain" }, data.label && h("h3", {}, data.label),
      timeline.element, this.toolbar(seek), h("div", { class: "stage" }, view, steps.element));
    this.element.player = this;
  }

  toolbar(seek) {
    const button = (label, name, onclick) => h("button", { type: "button", "aria-label": label, title: label, onclick }, icon(name));
    this.play = button("play (space)", "play", () => this.toggle());
    this.play.className = "play";
    this.slider = h("input", { type: "range", min: 0, max: this.film.length, step: 1, value: 0, "aria-label": "step", oninput: () => seek(Number(this.slider.value)) });
    this.count = h("span", { class: "count" });
    this.caption = h("p", { class: "caption", "aria-live": "polite" });
    return h("div", { class: "toolbar", role: "group", "aria-label": "play the trace" },
      h("div", { class: "controls" },
        button("to the start (Home)", "first", () => seek(0)), button("one step back (←)", "back", () => seek(this.film.at - 1)), this.play,
        button("one step on (→)", "on", () => { this.stop(); this.on(); }), button("to the end (End)", "last", () => seek(this.film.length)),
        this.slider, this.count), this.caption);
  }

  seek(position) {
    this.film.seek(position);
    this.show();
  }

  show() {
    const { film } = this;
    for (const part of this.parts) part.show();
    const step = film.at === 0 ? null : film.steps[film.at - 1];
    this.slider.value = film.at;
    this.slider.setAttribute("aria-valuetext", step ? `step ${film.at}: ${step.actor} ${step.action}` : "start");
    this.count.textContent = `${film.at} / ${film.length}`;
    this.caption.replaceChildren(...(step ? [h("b", {}, step.actor), ` ${step.action}`] : [h("b", {}, "start")]));
    this.caption.classList.toggle("repeats", film.loops && film.at > film.data.loop);
  }

  // on goes one step on, round and round if there is a loop; false at the end.
  on() {
    const next = this.film.next();
    if (next === null) return false;
    this.seek(next);
    return true;
  }

  toggle() {
    if (this.timer !== null) {
      this.stop();
      return;
    }
    if (this.film.next() === null) this.seek(0);
    const pace = this.film.length > 100 ? 250 : 900;
    this.timer = setInterval(() => { if (!this.on()) this.stop(); }, pace);
    this.face("pause");
  }

  stop() {
    if (this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    this.face("play");
  }

  // face is what the play button does next.
  face(name) {
    this.play.replaceChildren(icon(name));
    this.play.setAttribute("aria-label", `${name} (space)`);
    this.play.title = `${name} (space)`;
  }

  // paper shows what a printed page has room for, and returns what takes it back.
  paper() {
    const [timeline, steps] = this.parts;
    const back = [timeline.paper(), steps.paper()];
    return () => back.forEach((f) => f());
  }

  key(name) {
    const { film } = this;
    switch (name) {
      case "ArrowRight": case "l": this.stop(); this.on(); return true;
      case "ArrowLeft": case "h": this.stop(); this.seek(film.at - 1); return true;
      case "Home": this.stop(); this.seek(0); return true;
      case "End": this.stop(); this.seek(film.length); return true;
      case " ": this.toggle(); return true;
    }
    return false;
  }
}

const icons = {
  first: "M3 2h2v12H3zM14 2v12L6 8z", back: "M12 2v12L4 8z", play: "M4 2v12l9-6z", pause: "M3 2h4v12H3zM9 2h4v12H9z",
  on: "M4 2v12l8-6z", last: "M11 2h2v12h-2zM2 2v12l8-6z",
};

function icon(name) {
  return s("svg", { class: "icon", viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" }, s("path", { d: icons[name] }));
}
