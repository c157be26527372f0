
const nothing = {}, unused = { cpu: 0, memory: 0, pods: 0 };

// A Cluster is the view of a state as nodes with their pods. It is built once, and
// shows of each state what is different from the one it showed before.
class Cluster {
  constructor(film, hues, name) {
    this.film = film;
    this.hues = hues;
    this.name = name;
    this.data = film.data.cluster;
    this.workloads = new Map(this.data.workloads.map((w) => [w.object, w]));
    const pods = [...film.objects.values()].filter((o) => o.owner !== undefined).length;
    this.dense = this.data.nodes.length > 24 || pods > 80;
    this.boxes = new Map();
    this.chips = new Map();
    this.ghosts = [];
    this.lit = [];
    this.waiting = new Box({ name: "" }, 0, "waiting for a node");
    this.legend = new Map();
    this.element = this.build();
  }

  build() {
    const groups = this.groups().map(([name, nodes]) => {
      const same = this.dense ? prefix(nodes.map((n) => n.name)) : 0;
      const boxes = nodes.map((node) => {
        const box = new Box(node, same);
        this.boxes.set(node.name, box);
        return box.element;
      });
      const group = h("section", { class: "group" }, name && h("h4", {}, name), h("div", { class: "nodes" }, boxes));
      group.style.flexGrow = nodes.length;
      group.style.flexBasis = `min(100%, ${nodes.length * (this.dense ? 116 : 200)}px)`;
      return group;
    });
    const legend = this.data.workloads.map((w) => {
      const says = h("span", { class: "says" });
      const entry = h("li", { class: `w${this.hues.get(w.object)}`, title: w.object }, h("i", { class: "swatch" }), h("b", {}, this.name(w.object)), says);
      this.legend.set(w.object, { says, entry });
      return entry;
    });
    return h("div", { class: this.dense ? "cluster dense" : "cluster" },
      h("ul", { class: "legend" }, legend),
      h("div", { class: "groups" }, groups), this.waiting.element, key());
  }

  // groups are the nodes by zone and pool, or by zone alone if that would leave most
  // nodes by themselves.
  groups() {
    const by = (name) => {
      const out = new Map();
      for (const node of this.data.nodes) {
        if (!out.has(name(node))) out.set(name(node), []);
        out.get(name(node)).push(node);
      }
      return [...out].sort(([a], [b]) => (a < b ? -1 : 1));
    };
    const zone = (n) => n.zone && `zone ${n.zone}`, pool = (n) => n.pool && `pool ${n.pool}`;
    const fine = by((n) => [zone(n), pool(n)].filter(Boolean).join(" · "));
    return fine.length * 2 <= this.data.nodes.length ? fine : by((n) => zone(n) || "");
  }

  show() {
    const { film } = this;
    const changed = film.changed();
    for (const element of this.lit) element.classList.remove("changed");
    for (const ghost of this.ghosts) ghost.remove();
    this.lit = [];
    this.ghosts = [];
    const used = new Map(), counts = new Map();
    const gone = new Set(this.chips.keys());
    for (const [id, pod] of film.objects) {
      if (pod.owner === undefined) continue;
      gone.delete(id);
      this.place(id, pod);
      this.count(pod, used, counts);
      if (changed.has(id)) this.light(this.chips.get(id).element, pod.node, changed.get(id));
    }
    for (const id of gone) {
      this.chips.get(id).element.remove();
      this.chips.delete(id);
    }
    for (const [id, was] of changed) {
      if (was !== undefined && was.owner !== undefined && !film.objects.has(id)) this.ghost(id, was);
    }
    for (const [name, box] of this.boxes) {
      box.show(film.objects.get("Node " + name) || nothing, used.get(name) || unused);
      if (changed.has("Node " + name)) this.mark(box.element);
    }
    this.waiting.element.hidden = this.waiting.pods.children.length === 0;
    this.tell(changed, counts);
    if (this.dense) this.reveal();
  }

  // reveal scrolls to what is different, where not all nodes can be seen at once.
  reveal() {
    const first = this.lit.find((e) => e.classList.contains("node") || e.classList.contains("waiting"));
    if (first === undefined) return;
    const top = first.offsetTop, { scrollTop, clientHeight } = this.element;
    if (top < scrollTop || top + first.offsetHeight > scrollTop + clientHeight) this.element.scrollTop = top - clientHeight / 3;
  }

  mark(element) {
    element.classList.add("changed");
    this.lit.push(element);
  }

  // light marks a pod that is different, its node and the one it was on.
  light(element, node, was) {
    this.mark(element);
    for (const name of new Set([node, was && was.node])) {
      if (name !== undefined && this.boxes.has(name)) this.mark(this.boxes.get(name).element);
    }
  }

  box(pod) { return pod.node === undefined ? this.waiting : this.boxes.get(pod.node) || this.waiting; }

  // place puts a pod where it is, if it is not there as it is already.
  place(id, pod) {
    let chip = this.chips.get(id);
    if (chip && chip.pod === pod) return;
    if (!chip) {
      chip = { element: h("li", {}), order: this.order(pod) };
      chip.element.chip = chip;
      this.chips.set(id, chip);
    }
    chip.pod = pod;
    this.dress(chip.element, id, pod);
    const into = this.box(pod).pods;
    if (chip.element.parentNode !== into) insert(into, chip.element);
  }

  // order is that of pods in a box.
  order(pod) {
    const workload = this.data.workloads.findIndex((w) => w.object === pod.owner);
    return workload * 1e8 + pod.revision * 1e5 + pod.ordinal;
  }

  dress(element, id, pod) {
    const hue = this.hues.get(pod.owner);
    const name = pod.name || `${this.name(pod.owner)} ${pod.revision > 0 ? `r${pod.revision + 1}·` : ""}${pod.ordinal}`;
    element.className = `pod ${stateOf(pod)}${hue === undefined ? "" : ` w${hue}`}${pod.terminating ? " terminating" : ""}`;
    element.textContent = this.dense ? "" : name;
    const where = pod.node !== undefined ? `on ${pod.node}` : pod.nominated !== undefined ? `room is made on ${pod.nominated}` : "on no node";
    const text = `${name}, ${wordsOf(pod)}, ${where}`;
    element.title = text;
    element.dataset.pod = id;
    element.setAttribute("aria-label", text);
  }

  ghost(id, was) {
    const element = h("li", {});
    element.chip = { order: this.order(was) };
    this.dress(element, id, was);
    element.className = element.className.replace("pod ", "ghost ");
    element.title += ": gone";
    insert(this.box(was).pods, element);
    this.ghosts.push(element);
    this.light(element, was.node, was);
  }

  count(pod, used, counts) {
    if (!counts.has(pod.owner)) counts.set(pod.owner, new Map());
    const words = wordsOf(pod), of = counts.get(pod.owner);
    of.set(words, (of.get(words) || 0) + 1);
    if (pod.node === undefined || pod.phase === "Failed" || pod.phase === "Succeeded") return;
    const workload = this.workloads.get(pod.owner);
    const asks = workload && (workload.requests[pod.revision] || workload.requests[0]) || {};
    let u = used.get(pod.node);
    if (u === undefined) used.set(pod.node, u = { ...unused });
    u.cpu += asks.cpu || 0;
    u.memory += asks.memory || 0;
    u.pods++;
  }

  // tell says of each workload how many pods it wants and has.
  tell(changed, counts) {
    for (const [object, { says, entry }] of this.legend) {
      const is = this.film.objects.get(object) || {};
      const has = [...(counts.get(object) || [])].map(([words, n]) => `${n} ${words}`).join(", ") || "no pods";
      const wants = is.replicas === undefined ? "" : `${is.replicas} wanted: `;
      const text = wants + has + (is.doomed ? " · its pods crash" : "");
      if (says.textContent !== text) says.textContent = text;
      if (changed.has(object)) this.mark(entry);
    }
  }
}

// prefix is how many characters at the start of names say nothing, since all have
// them.
function prefix(names) {
  if (names.length < 2 || names[0].length < 12) return 0;
  let n = 0;
  while (n < names[0].length && names.every((name) => name[n] === names[0][n])) n++;
  return Math.max(0, names[0].lastIndexOf("-", n - 1));
}

// A Box is a node, or what waits for one. Of its name so many characters are left out.
class Box {
  constructor(node, left, title) {
    this.node = node;
    this.flags = h("span", { class: "flags" });
    this.taints = h("ul", { class: "taints" });
    this.pods = h("ul", { class: "pods" });
    this.bars = [["cpu", "CPU", cores], ["memory", "memory", bytes], ["pods", "pods", String]]
      .filter(([what]) => node[what] && (what !== "pods" || node.pods <= 32))
      .map(([what, name, unit]) => ({ what, unit, fill: h("i", {}), says: h("span", {}), name }));
    const labels = Object.entries(node.labels || {}).map(([k, v]) => `${k}=${v}`).join("\n");
    this.element = h("section", title ? { class: "waiting" } : { class: "node", "data-node": node.name },
      h("h5", { title: title || [node.name, labels].filter(Boolean).join("\n") }, h("span", { class: "name" }, title || (left > 0 ? "…" : "") + node.name.slice(left)), this.flags),
      this.taints, this.pods,
      this.bars.map((bar) => h("p", { class: `bar ${bar.what}` }, h("span", { class: "what" }, bar.name), h("span", { class: "track" }, bar.fill), bar.says)));
    this.before = {};
  }

  show(is, used) {
    const was = this.before;
    if (was.is === is && was.cpu === used.cpu && was.memory === used.memory && was.pods === used.pods) return;
    this.before = { is, ...used };
    const flags = [is.down && "machine down", is.unready && "not Ready", is.cordoned && "cordoned"].filter(Boolean);
    this.flags.replaceChildren(...flags.map((text) => h("em", {}, text)));
    this.element.classList.toggle("unwell", Boolean(is.down || is.unready));
    this.element.classList.toggle("cordoned", Boolean(is.cordoned));
    const taints = [...(this.node.taints || []), ...(is.taints || [])];
    this.taints.replaceChildren(...taints.map((text) => h("li", { title: `taint ${text}` }, text)));
    for (const bar of this.bars) {
      const share = used[bar.what] / this.node[bar.what];
      bar.fill.style.width = `${Math.min(100, 100 * share)}%`;
      bar.fill.classList.toggle("full", share > 0.95);
      bar.says.textContent = `${bar.unit(used[bar.what])} of ${bar.unit(this.node[bar.what])}`;
    }
  }
}

// insert keeps the pods of a box in their order.
function insert(into, element) {
  let after = null;
  for (const sibling of into.children) {
    if (sibling !== element && sibling.chip.order > element.chip.order) {
      after = sibling;
      break;
    }
  }
  into.insertBefore(element, after);
}

function stateOf(pod) {
  if (pod.phase === "Failed") return "failed";
  if (pod.crashing) return "crashing";
  if (pod.phase === "Pending") return "pending";
  return pod.ready ? "ready" : "unready";
}

function wordsOf(pod) {
  if (pod.terminating) return "Terminating";
  const words = { failed: "Failed", crashing: "crashing", pending: "Pending", ready: "Ready", unready: "not Ready" };
  return words[stateOf(pod)];
}

// key says what the looks of a pod mean.
function key() {
  const entry = (looks, text) => h("li", {}, h("i", { class: `pod key ${looks}` }), text);
  return h("ul", { class: "key", "aria-hidden": "true" }, entry("ready", "Ready"), entry("unready", "not Ready"), entry("pending", "Pending"),
    entry("ready terminating", "Terminating"), entry("failed", "Failed, crashing"), h("li", {}, h("i", { class: "pod key ready changed" }), "changed"));
}

function cores(milli) {
  return milli % 1000 === 0 ? String(milli / 1000) : milli < 1000 ? `${milli}m` : String(Math.round(milli / 10) / 100);
}

function bytes(n) {
  const units = ["B", "Ki", "Mi", "Gi", "Ti", "Pi"];
  let unit = 0;
  while (n >= 1024 && unit < units.length - 1) {
    n /= 1024;
    unit++;
  }
  return `${Math.round(n * 10) / 10}${n === 0 ? "" : units[unit]}`;
}
