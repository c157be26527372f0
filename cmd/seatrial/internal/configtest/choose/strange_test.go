package choose

import (
	"fmt"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestStrange: a new key that the type does not have is a parameter for what loads the document if that refuses such
// keys; one below a field is none.
func TestStrange(t *testing.T) {
	m := &parameter.Map{Types: []parameter.ID{"field:Config"}, Strict: []parameter.ID{"field:Config"}}
	for _, id := range []parameter.ID{"field:Config.port", "field:Config.labels", "field:Config.retry.times"} {
		m.Parameters = append(m.Parameters, parameter.Class{ID: id})
	}
	parse := func(text string) []change.Setting {
		settings, err := change.Parse("c.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return settings
	}
	before := parse("port: 1\nlabels: {a: b}\nretry: {times: 3}\n")
	after := parse("prot: 1\nlabels: {a: b, c: d}\nretry: {times: 3, wait: 4}\nlist: [1]\n")
	got := map[string]parameter.ID{}
	for _, c := range Link(m, change.Between(before, after), before, after) {
		if c.Strange {
			got[c.Path] = c.Class.ID
		}
	}
	if len(got) != 3 || got["list"] != "field:Config.list" || got["prot"] != "field:Config.prot" || got["retry.wait"] != "field:Config.retry.wait" {
		t.Errorf("strange are %v", got)
	}
	// A decoder that takes what the old version has takes the rest, too, or it is another one.
	old := parse("port: 1\nold: 1\n")
	for _, c := range Link(m, change.Between(old, after), old, after) {
		if c.Strange {
			t.Errorf("%s is not refused: the old version has more", c.Path)
		}
	}
	m.Strict = nil
	for _, c := range Link(m, change.Between(before, after), before, after) {
		if c.Strange {
			t.Errorf("nothing refuses %s", c.Path)
		}
	}
}

// TestStrangeSection: of a section with another name all is one parameter, on the line of the section.
func TestStrangeSection(t *testing.T) {
	m := &parameter.Map{Types: []parameter.ID{"field:Config"}, Strict: []parameter.ID{"field:Config"}}
	for _, id := range []parameter.ID{"field:Config.server.port", "field:Config.server.tls.cert"} {
		m.Parameters = append(m.Parameters, parameter.Class{ID: id})
	}
	parse := func(text string) []change.Setting {
		settings, err := change.Parse("c.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return settings
	}
	before := parse("server:\n  port: 1\n  tls:\n    cert: a\n")
	for text, want := range map[string]string{
		"\nservr:\n  port: 1\n  tls:\n    cert: a\n":  `field:Config.servr 2 {"port":1,"tls":{"cert":"a"}}`,
		"server:\n  port: 1\n  tsl:\n\n    cert: a\n": `field:Config.server.tsl 3 {"cert":"a"}`,
	} {
		after := parse(text)
		var got []string
		for _, c := range Link(m, change.Between(before, after), before, after) {
			if c.Strange {
				got = append(got, fmt.Sprint(c.Class.ID, " ", c.Location.Line, " ", *c.New))
			}
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("%q: got %q, want %s", text, got, want)
		}
	}
}
