package configtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/pace"
)

// TestGenerate: of the configuration of a service are found the valid values with which a test fails, and the invalid
// ones that are taken, that were written of it by hand, and no others. It takes a minute, most of it for values with
// which a test does not end; make conformance has all of the services.
func TestGenerate(t *testing.T) {
	pace.Slow(t)
	cache := t.TempDir()
	services := []string{"gateway", "thumbs"}
	if os.Getenv("SEATRIAL_CONFORMANCE") != "" {
		services = append(services, "janitor", "mailer")
	}
	for _, example := range services {
		t.Run(example, func(t *testing.T) {
			x := read(t, example)
			settings, err := change.Read(t.Context(), filepath.Join(examples, example), x.Config)
			if err != nil {
				t.Fatal(err)
			}
			o := options(t, filepath.Join(examples, example), cache)
			o.Timeout = 3 * time.Second
			out, err := Generate(t.Context(), o, Generating{File: &Version{Settings: settings}, Most: DefaultMost})
			if err != nil {
				t.Fatal(err)
			}
			got := map[judge.Fate][]parameter.ID{}
			for _, c := range out.causes() {
				for _, v := range c.values {
					got[c.fate] = append(got[c.fate], out.Parameters[v.of].Class.ID)
				}
			}
			for fate, names := range map[judge.Fate][]string{judge.Dormant: x.Generate.Dormant, judge.Silent: x.Generate.Silent} {
				var want []parameter.ID
				for _, name := range names {
					for _, c := range out.Parameters {
						if c.Class != nil && slices.Contains(c.Class.Identities(), x.id(name)) {
							want = append(want, c.Class.ID)
						}
					}
				}
				if len(want) != len(names) || !slices.Equal(sorted(got[fate]), sorted(want)) {
					t.Errorf("%s are %v, want %v", fate, sorted(got[fate]), sorted(want))
				}
			}
			if r := out.Report(""); r.Verdict != finding.Violated {
				t.Errorf("the verdict is %s", r.Verdict)
			}
		})
	}
}

// TestGenerateWithoutAFile: what tests read is tried next to its defaults.
func TestGenerateWithoutAFile(t *testing.T) {
	o := options(t, filepath.Join(examples, "thumbs"), t.TempDir())
	o.Timeout = 3 * time.Second
	out, err := Generate(t.Context(), o, Generating{Parameters: []string{"queue.batch", "cache.ttl"}, Most: 6})
	if err != nil {
		t.Fatal(err)
	}
	got := map[judge.Fate][]parameter.ID{}
	for _, c := range out.causes() {
		for _, v := range c.values {
			got[c.fate] = append(got[c.fate], out.Parameters[v.of].Class.ID)
		}
	}
	for fate, want := range map[judge.Fate]string{judge.Dormant: "queue.batch", judge.Silent: "queue.batch"} {
		if len(got[fate]) != 1 || !strings.Contains(fmt.Sprint(got[fate][0]), want) {
			t.Errorf("%s are %v, want %s alone", fate, got[fate], want)
		}
	}
}
