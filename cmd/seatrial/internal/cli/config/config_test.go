package config

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// ship is a program with flags of every form.
func ship() *cobra.Command {
	root := &cobra.Command{Use: "ship"}
	root.PersistentFlags().Bool("quiet", false, "say less")
	Flag(root)
	sail := &cobra.Command{Use: "sail", Short: "leave the port", Run: func(*cobra.Command, []string) {}}
	sail.Flags().Duration("timeout", 0, "longest time")
	sail.Flags().Int("knots", 5, "how fast")
	sail.Flags().StringArray("port", []string{"Kiel"}, "where to call")
	sail.Flags().String("once", "", "this voyage only")
	LineOnly(sail.Flags(), "once")
	reef := &cobra.Command{Use: "reef", Short: "take sail in", Run: func(*cobra.Command, []string) {}}
	reef.Flags().Bool("twice", false, "make the sail smaller still")
	sail.AddCommand(reef)
	root.AddCommand(sail)
	return root
}

// TestTemplate: without the marks of comments before keys, the file has every key.
func TestTemplate(t *testing.T) {
	text := Template(ship())
	settings, err := parse(ship(), "ship.yaml", []byte(regexp.MustCompile(`(?m)^( *)#(\w)`).ReplaceAllString(text, "$1$2")))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var names []string
	for _, s := range settings {
		names = append(names, s.name())
	}
	if want := []string{"quiet", "sail.knots", "sail.timeout", "sail.reef.twice"}; !slices.Equal(names, want) {
		t.Errorf("%q are in\n%s", names, text)
	}
}

// TestOnLine: what a file says is not taken for what was typed.
func TestOnLine(t *testing.T) {
	root := ship()
	settings, err := parse(root, "ship.yaml", []byte("apiVersion: "+APIVersion+"\nkind: "+Kind+"\nsail: {timeout: 1m, knots: 7}\n"))
	if err != nil {
		t.Fatal(err)
	}
	sail, _, err := root.Find([]string{"sail"})
	if err != nil {
		t.Fatal(err)
	}
	if err := sail.Flags().Set("knots", "9"); err != nil {
		t.Fatal(err)
	}
	if err := apply(sail, "ship.yaml", settings); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"knots": true, "timeout": false, "once": false} {
		if got := OnLine(sail.Flags().Lookup(name)); got != want {
			t.Errorf("--%s was on the line: %t", name, got)
		}
	}
}

// TestSchema: it knows what the file may have, and nothing else.
func TestSchema(t *testing.T) {
	raw, err := Schema(ship())
	if err != nil {
		t.Fatal(err)
	}
	type node struct {
		Properties           map[string]node
		AdditionalProperties *bool
	}
	var schema node
	if err := json.Unmarshal(raw, &schema); err != nil {
		t.Fatal(err)
	}
	var names []string
	var visit func(prefix string, n node)
	visit = func(prefix string, n node) {
		if len(n.Properties) > 0 && (n.AdditionalProperties == nil || *n.AdditionalProperties) {
			t.Errorf("%s may have anything", prefix)
		}
		for name, below := range n.Properties {
			names = append(names, prefix+name)
			visit(prefix+name+".", below)
		}
	}
	visit("", schema)
	slices.Sort(names)
	want := "apiVersion kind quiet sail sail.knots sail.port sail.reef sail.reef.twice sail.timeout"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the schema has %s, want %s", got, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "sail: {timeout: 1m, port: [a, b]}", "quiet: true\nsail:\n  reef: {twice: no}\n", "a: &a [*a]", "? {}: 1", "sail: !!binary x", "- 1", "sail: {<<: {knots: 3}}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		root := ship()
		settings, err := parse(root, "ship.yaml", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "ship.yaml") || strings.Contains(strings.TrimSuffix(err.Error(), "\n"), "\n  line") {
				t.Errorf("%q", err)
			}
			return
		}
		for _, s := range settings {
			if s.flags(root).Lookup(s.flag) == nil {
				t.Errorf("there is no flag %s", s.name())
			}
		}
		_ = apply(root, "ship.yaml", settings) // a value may be wrong
	})
}
