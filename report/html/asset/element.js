
// Elements. Text is only ever set as text: user text can hold anything.

// h makes an HTML element. attributes are set as they are, but for class, for on…,
// which are listeners, and for true and false, which turn one on or leave it out.
// Children are elements, or text; what is null or false is left out.
function h(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

// s makes an SVG element.
function s(name, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// many is a number with its noun.
function many(n, one, more) {
  return n === 1 ? `1 ${one}` : `${n} ${more}`;
}

// namer makes objects' names short: without the kind, if it is one of a workload, and
// without the namespace, if the workloads have one alone.
function namer(workloads) {
  const namespaces = new Set(workloads.map((object) => afterKind(object).split("/")[0]));
  const known = new Set(workloads);
  const kinds = { HorizontalPodAutoscaler: "HPA", PodDisruptionBudget: "PDB" };
  return (object) => {
    const kind = object.slice(0, object.indexOf(" "));
    let name = afterKind(object);
    if (namespaces.size === 1 && namespaces.has(name.split("/")[0])) name = name.slice(name.indexOf("/") + 1);
    return known.has(object) ? name : `${kinds[kind] || kind} ${name}`;
  };
}

function afterKind(object) {
  return object.slice(object.indexOf(" ") + 1);
}
