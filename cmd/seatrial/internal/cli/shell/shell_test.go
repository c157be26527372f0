package shell

import "testing"

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"a/b.yaml": "a/b.yaml", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "x\ny": `$'x\x0ay'`, "é": "'é'", "a\x1b'": `$'a\x1b\''`, "$(x)": "'$(x)'", "\xff": `$'\xff'`,
	} {
		if got := Quote(word); got != want {
			t.Errorf("Quote(%q) = %s, want %s", word, got, want)
		}
	}
}
