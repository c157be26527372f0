
// A Film is a trace at a position: 0 is the start, n is after step n. It has the
// objects of that state, by their keys, and goes forwards and backwards by the
// differences of the steps.
class Film {
  constructor(data) {
    this.data = data;
    this.steps = data.steps;
    this.at = 0;
    this.objects = new Map(Object.entries(data.start || {}));
    this.undo = [];
  }

  get length() { return this.steps.length; }

  // loops tells whether there are steps that repeat; a loop without steps is a state
  // that stays.
  get loops() { return this.data.loop !== undefined && this.data.loop < this.length; }
  get rests() { return this.data.loop === this.length; }

  // next is the position after the one at hand: after the last step of a loop, that
  // after its first. It is null at the end.
  next() {
    if (this.at < this.length) return this.at + 1;
    return this.loops ? this.data.loop + 1 : null;
  }

  seek(position) {
    position = Math.max(0, Math.min(this.length, position));
    while (this.at < position) this.forward();
    while (this.at > position) this.backward();
  }

  forward() {
    const before = [];
    for (const [key, delta] of Object.entries(this.steps[this.at].delta || {})) {
      const was = this.objects.get(key);
      before.push([key, was]);
      if (delta === null) this.objects.delete(key);
      else this.objects.set(key, merged(was, delta));
    }
    this.undo.push(before);
    this.at++;
  }

  backward() {
    for (const [key, was] of this.undo.pop()) {
      if (was === undefined) this.objects.delete(key);
      else this.objects.set(key, was);
    }
    this.at--;
  }

  // changed are the objects that the step which led here made different, by their
  // keys, as they were.
  changed() {
    return new Map(this.at === 0 ? [] : this.undo[this.at - 1]);
  }
}

function merged(was, delta) {
  const out = { ...was };
  for (const [name, value] of Object.entries(delta)) {
    if (value === null) delete out[name];
    else out[name] = value;
  }
  return out;
}
