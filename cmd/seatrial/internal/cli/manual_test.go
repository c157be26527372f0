package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/config"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/manual"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/perturb"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/pattern"
)

//go:generate go test -count=1 -run ^TestManual$ . -args -rewrite-docs

var rewriteDocs = flag.Bool("rewrite-docs", false, "rewrite docs/cli, docs/man and docs/config-schema.json")

// TestManual holds docs/cli, docs/man and the schema of the configuration to the
// commands.
func TestManual(t *testing.T) {
	streams, _, _ := iostreams.Test("", iostreams.Terminal{})
	root := newRoot(console.New(streams, "devel"), Trials{Perturb: perturb.Trial{Patterns: pattern.Names()}}, "seatrial")
	schema, err := config.Schema(root)
	if err != nil {
		t.Fatal(err)
	}
	pages := manual.Pages(root)
	want := map[string]string{"config-schema.json": string(schema), "cli/README.md": manual.Index(pages)}
	for _, p := range pages {
		want["cli/"+p.Name+".md"] = p.Markdown
		want[fmt.Sprintf("man/%s.%d", p.Name, p.Section)] = p.Man
	}
	docs := filepath.Join("..", "..", "..", "..", "docs")
	for _, folder := range []string{"cli", "man"} {
		files, err := filepath.Glob(filepath.Join(docs, folder, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if _, wanted := want[folder+"/"+filepath.Base(file)]; wanted {
				continue
			}
			if !*rewriteDocs {
				t.Errorf("%s is of no command: run make generate", file)
			} else if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, text := range want {
		file := filepath.Join(docs, filepath.FromSlash(name))
		if *rewriteDocs {
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		have, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%v: run make generate", err)
		} else if diff := cmp.Diff(string(have), text); diff != "" {
			t.Errorf("%s is out of date: run make generate (-have +want)\n%s", name, diff)
		}
	}
}
