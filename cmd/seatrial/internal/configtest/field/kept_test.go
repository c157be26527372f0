package field_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/internal/pace"
)

// TestKept: sources are rewritten wherever the module has its libraries from.
func TestKept(t *testing.T) {
	pace.Slow(t)
	for name, more := range map[string]func(t *testing.T, folder string) (environment string){
		"in a vendor directory": func(t *testing.T, folder string) string {
			m := &run.Module{Directory: filepath.Join(folder, "app"), Go: "go", Environment: append(os.Environ(), "GOWORK=off")}
			if _, err := m.Command(t.Context(), nil, "mod", "vendor"); err != nil {
				t.Fatal(err)
			}
			return "GOWORK=off"
		},
		"in a workspace": func(t *testing.T, folder string) string {
			file := filepath.Join(folder, "go.work")
			if err := os.WriteFile(file, []byte("go 1.26.0\n\nuse ./app\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			return "GOWORK=" + file
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS(filepath.Join(folder, "app"), os.DirFS(filepath.Join(examples, "janitor"))); err != nil {
				t.Fatal(err)
			}
			b := build(t, filepath.Join(folder, "app"), more(t, folder))
			o := b.run(t, "sweep.TestEverybodyHasWork", map[parameter.ID]string{"field:config.Config": `{"sweep": {"workers": 0}}`})
			read := record.Event{Verb: record.Read, Subject: "field:config.Config.sweep.workers", Value: "0", At: "sweep/sweep.go:35"}
			if !o.Ending.Fails() || !slices.Contains(o.Events, read) || len(b.sources.Problems) > 0 {
				t.Errorf("it %s with %v\n%q\n%s", o.Ending, o.Events, b.sources.Problems, o.Output)
			}
		})
	}
}
