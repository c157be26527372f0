// Package live reads a running cluster as a text of manifests. It lists and reads,
// and can do nothing else: every request but GET is refused before it leaves. Secrets
// are never asked for. See docs/adr/0017-inputs.md.
package live
