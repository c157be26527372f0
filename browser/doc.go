// Package browser tries what seatrial makes for browsers in a real one, Chromium. It
// holds tests only, in a module of its own: what drives a browser is nobody's
// dependency but theirs.
//
// The browser is chromium, chromium-browser or google-chrome of PATH, or what
// SEATRIAL_BROWSER names; the command that makes the reports is what SEATRIAL names,
// or is built. With SEATRIAL_PICTURES=DIR the tests leave pictures of what they saw in
// that folder, to be looked at.
package browser
