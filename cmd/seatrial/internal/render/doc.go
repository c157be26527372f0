// Package render has manifests rendered by the user's own programs: kustomize or
// kubectl, and helm. They are found in PATH, run without a shell and to their end,
// and nothing of them is left behind. What they say of where a document came from
// is kept. See docs/adr/0017-inputs.md.
package render
