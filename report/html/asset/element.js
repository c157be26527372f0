
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

// afterKind is an object's name without its kind and, if it is the default one, its
// namespace.
function afterKind(object) {
  const name = object.slice(object.indexOf(" ") + 1);
  return name.startsWith("default/") ? name.slice("default/".length) : name;
}
