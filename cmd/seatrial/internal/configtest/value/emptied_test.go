package value

import (
	"fmt"
	"testing"
)

// TestEmptied: of a list that has nothing any more there are two with an item less, as it is written.
func TestEmptied(t *testing.T) {
	for _, tc := range []struct{ old, now, fewer, listing string }{
		{`[429, 502, 503]`, `[]`, "[[429,502] [502,503]]", "[429,502,503]"},
		{`["a","b"]`, `null`, `[["a"] ["b"]]`, `["a","b"]`},
		{"429,502, 503", "", "[429,502 502,503]", "[429,502,503]"},
		{`"a,b"`, `""`, "[a b]", `["a","b"]`},
		{"a,2", "", "[a 2]", `["a","2"]`},
		{"[1]", "[]", "", "[1]"},
		{"[1,2]", "[1]", "", "[1,2]"},
		{"a", "", "", ""},
		{`{"a":1,"b":2}`, "{}", "", ""},
	} {
		got := ""
		if fewer, is := Emptied(tc.old, tc.now); is {
			got = fmt.Sprint(fewer)
		}
		if listing, _ := Listing(tc.old); got != tc.fewer || listing != tc.listing {
			t.Errorf("of %s and %s it is %s and %s, want %s and %s", tc.old, tc.now, got, listing, tc.fewer, tc.listing)
		}
	}
}
