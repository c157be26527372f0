package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// nearby has tests that open a file of their own in testdata, which is what is deployed but for an address. The program
// reads it in a way of its own.
var nearby = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.yaml": "listen: :80\ntries: 3\nwait: 20\nzone: Paris\n",
	"internal/shop/testdata/shop.yaml": "# as it is deployed\nlisten: :0\ntries: 3\nwait: 20\nzone: Paris\n",
	"internal/shop/testdata/few.yaml":  "tries: 3\n",
	"internal/shop/shop.go": `package shop

import (
	"os"
	"strings"
)

func Load(file string) (map[string]string, error) {
	out := map[string]string{"tries": "1", "zone": "UTC"}
	text, err := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if key, value, is := strings.Cut(strings.TrimSpace(line), ": "); is {
			out[key] = value
		}
	}
	return out, err
}
`,
	"internal/shop/shop_test.go": `package shop

import "testing"

func TestTries(t *testing.T) {
	c, err := Load("testdata/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if c["tries"] == "1" {
		t.Error("it tries once")
	}
}

func TestFew(t *testing.T) {
	if c, err := Load("testdata/few.yaml"); err != nil || c["tries"] != "3" {
		t.Fatal(c, err)
	}
}
`,
}

// TestNearly: where nothing is shown of a change, tests that open what is nearly deployed find it there with the
// change.
func TestNearly(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.yaml", nearby)
	const old = "listen: :80\ntries: 3\nwait: 20\nzone: Paris\n"
	for _, tc := range []struct{ name, now, want string }{
		{"a key that is misspelt", "listen: :80\ntires: 3\nwait: 20\nzone: Paris\n",
			"violated tires, tries: internal/shop.TestTries: it tries once (shop_test.go:11)\n"},
		{"a value", "listen: :80\ntries: 1\nwait: 20\nzone: Paris\n", "violated tries: internal/shop.TestTries: it tries once (shop_test.go:11)\n"},
		{"a value that the test minds not", "listen: :80\ntries: 3\nwait: 21\nzone: Paris\n", "inconclusive wait: no code is known that reads it; tests that open the file pass with it: internal/shop.TestTries\n"},
		{"a value that is another one there", "listen: :81\ntries: 3\nwait: 20\nzone: Paris\n", "inconclusive listen: no code is known that reads it\n"},
	} {
		out, err := s.diff(t.Context(), said(old), said(tc.now))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, r := range out.Report("").Results {
			got += string(r.Verdict) + " " + r.Subject + ": " + r.Message + r.Reason + "\n"
		}
		if got != tc.want {
			t.Errorf("%s:\n%swant\n%s", tc.name, got, tc.want)
		}
	}
}
