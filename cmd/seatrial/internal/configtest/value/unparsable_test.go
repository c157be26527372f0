package value

import "testing"

// TestUnparsable: what was an expression, or a template, and is none any more.
func TestUnparsable(t *testing.T) {
	for _, tc := range []struct{ old, now, want string }{
		{`^[a-z]+$`, `[a-z`, "error parsing regexp: missing closing ]: `[a-z`"},
		{`"^item-(\\d+)$"`, `"^item-(\\d+$"`, "error parsing regexp: missing closing ): `^item-(\\d+$`"},
		{`^[a-z]+$`, `^[a-z]*$`, ""},
		{`plain`, `(plain`, ""}, // it need not be an expression
		{`a(b`, `a(`, ""},       // nor was this
		{`{{.Name}} is {{upper .State | quote}}`, `{{.Name} is {{upper .State}}`, "bad character U+007D '}'"},
		{`{{.Name}}`, `{{.Other}}`, ""},
		{`{{if .A}}x{{end}}`, `{{if .A}}x`, "unexpected EOF"},
		{`{{.Name`, `{{`, ""},
		{"", "", ""},
	} {
		if got := Unparsable(tc.old, tc.now); got != tc.want {
			t.Errorf("%s and %s: %q, want %q", tc.old, tc.now, got, tc.want)
		}
	}
}
