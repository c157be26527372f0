package value

import (
	"slices"
	"strings"
	"testing"
)

// TestEdited: what a test may have in the place of an edit of a text has the form of that, and something else where
// both differ.
func TestEdited(t *testing.T) {
	for _, c := range []struct{ old, now, want string }{
		{"mx1", "mx-1", "mxw1"},
		{`"mx1"`, `"mx2"`, `"mx6"|"mx"`},
		{"tide-2006010215.log", "tide-2006010203.log", "tide-2006010260.log|tide-20060102.log"},
		{"X-Shop-Key", "X-SHop-Key", "X-Suop-Key|X-Sop-Key"},
		{"fast", "slow", ""}, // two words
		{"30s", "40s", ""},   // a time
		{"16:00", "9:30", "09:30"},
		{"06:00", "07:00", ""}, // another one
		{"a", "", ""},          // there is nothing to edit
		{"Hello {{.Name}}", "Hello {{.Nmae}}", "Uryyb {{.Name}}"},
		{"Hello {{.Name}}", "Hello {{.Title}}", ""}, // it may be one that there is
		{`["alerts","cron-*"]`, `["alerts","*"]`, `["alerts","*"]`},
		{`["a-one","b-two"]`, `["a-one","b-tow"]`, `["a-one","b-tjb"]`},
		{`["a-one"]`, `["a-one","b-two"]`, `["a-one","o-gjb"]`},
		{`["a-one","b-two"]`, `["a-one"]`, `["a-one","o-gjb"]`},
		{`[1,2]`, `[1,3]`, ""},
	} {
		got := strings.Join(Edited(c.old, c.now), "|")
		if c.want == `["alerts","*"]` { // the new one is none of them
			if strings.Contains(got, c.want) || got == "" {
				t.Errorf("of %s and %s there are %s", c.old, c.now, got)
			}
			continue
		}
		if got != c.want && !strings.Contains("|"+got+"|", "|"+c.want+"|") || (c.want == "") != (got == "") {
			t.Errorf("of %s and %s there are %s, want %s", c.old, c.now, got, c.want)
		}
	}
}

// TestBeside: around the word that differs the letters are others, and placeholders and figures as they were.
func TestBeside(t *testing.T) {
	for _, c := range []struct{ old, now, text, word string }{
		{"tide-2006010215.log", "tide-2006010203.log", "gvqr-2006010215.ybt", "2006010215"},
		{`"mx1"`, `"mx-1"`, "", ""},
		{"a {x} b", "a {x} c", "", ""},
		{"{date}/{tracking}.zpl", "{date}/{order}.zpl", "{date}/{tracking}.mcy", "tracking"},
		{`"Hi {{.Name}}"`, `"Hi {{.Title}}"`, `"Uv {{.Name}}"`, "Name"},
	} {
		if text, word := Beside(c.old, c.now); text != c.text || word != c.word {
			t.Errorf("of %s and %s there is %s, and %s", c.old, c.now, text, word)
		}
	}
}

// TestHarmlessEdit: what says where something is, or is a way, is given to no test.
func TestHarmlessEdit(t *testing.T) {
	for _, c := range []struct {
		name, old, now string
		want           bool
	}{
		{"limit.exempt", `["cron-*"]`, `["*"]`, true},
		{"store.path", "a-b", "a-c", false},
		{"store.prefix", "/a-b", "/a-c", false},
		{"store.prefix", "a-b", "../a-c", false},
		{"hook", "http://a-b", "http://a-c", false},
		{"roots", `["/a-b"]`, `["/a-c"]`, false},
	} {
		if got := HarmlessEdit(c.name, c.old, c.now); got != c.want {
			t.Errorf("%s: %s to %s is %t", c.name, c.old, c.now, got)
		}
	}
}

// TestDispensable: a cache may be turned off by a size of 0, and a queue not.
func TestDispensable(t *testing.T) {
	for name, want := range map[string]bool{"gate.retries": true, "cache.size": false, "cacheSize": true, "queue.capacity": false, "SHOP_RETRY_DELAY": true} {
		if got := Dispensable(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestEditedOfOneHost: of URLs only the scheme is another one, and of lists in texts one item.
func TestEditedOfOneHost(t *testing.T) {
	for _, tc := range []struct {
		old, now string
		scheme   bool
		want     []string
	}{
		{"https://a.example", "a.example", true, []string{"http://a.example"}},
		{"a.example:80/x", "https://a.example:80/x", true, []string{"http://a.example:80/x"}},
		{"ws://a.example/v1", "http://a.example/v1", true, []string{"wss://a.example/v1"}},
		{"ws://a.example/v1", "http://a.example/v2", false, nil},
		{"http://a.example", "https://a.example", true, nil},
		{"a,b-7,c", "a,b-8,c", false, []string{"a,b-2,c", "a,b-,c"}},
		{"a,b,c", "a,b,c,d", false, nil},
		{"a,b,c", "a,c", false, nil},
		{"^[A-Z]+[0-9]+", "^[A-Z]+[0-9]{3}", false, nil},
	} {
		if got := Edited(tc.old, tc.now); SchemeOnly(tc.old, tc.now) != tc.scheme || !slices.Equal(got, tc.want) {
			t.Errorf("%s and %s: %q, only the scheme: %t", tc.old, tc.now, got, SchemeOnly(tc.old, tc.now))
		}
	}
}
