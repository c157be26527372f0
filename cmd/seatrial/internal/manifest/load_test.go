package manifest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// testOptions are the options of every transcript.
var testOptions = Options{
	Rules: []string{"SEA1004", "available", "settles", "drains-end"},
	ValidateDescheduler: func(raw []byte) error {
		if strings.Contains(string(raw), "RemoveDuplicatez") {
			return fmt.Errorf("profiles[0].plugins.balance: no plugin RemoveDuplicatez")
		}
		return nil
	},
	ValidateExpression: func(expression string) error {
		if strings.Contains(expression, "pods.al(") {
			return fmt.Errorf("1:6: undeclared reference to 'al'")
		}
		return nil
	},
}

// TestTranscripts runs the scripts in testdata/load. Each command takes one
// file (its name is x.yaml or the argument file) and prints what Load says:
// the problems, or else a summary with the warnings and what is left out. The
// argument "with" adds files of testdata/with.
func TestTranscripts(t *testing.T) {
	datadriven.Walk(t, "testdata/load", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "load" {
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			name := "x.yaml"
			d.MaybeScanArgs(t, "file", &name)
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, name), []byte(d.Input+"\n"), 0o600); err != nil {
				d.Fatalf(t, "%v", err)
			}
			for _, arg := range d.CmdArgs {
				if arg.Key != "with" {
					continue
				}
				for _, other := range arg.Vals {
					data, err := os.ReadFile(filepath.Join("testdata/with", other))
					if err == nil {
						err = os.WriteFile(filepath.Join(dir, other), data, 0o600)
					}
					if err != nil {
						d.Fatalf(t, "%v", err)
					}
				}
			}
			in, err := Load(context.Background(), []string{dir}, nil, testOptions)
			return strings.NewReplacer(dir+"/", "", dir, "DIR").Replace(describe(in, err))
		})
	})
}

// describe prints a result of Load.
func describe(in *Input, err error) string {
	if err != nil {
		return err.Error() + "\n"
	}
	var b strings.Builder
	b.WriteString("ok\n")
	for _, w := range in.Warnings {
		fmt.Fprintf(&b, "warning %s:%d: %s\n", w.Location.File, w.Location.Line, w.Message)
	}
	for _, o := range in.Omissions(nil) {
		mark := "listed"
		if o.Blocking {
			mark = "blocking"
		}
		if o.Accepted {
			mark += ", accepted"
		}
		fmt.Fprintf(&b, "left out (%s) %s %s:%d: %s\n", mark, o.Name, o.Location.File, o.Location.Line, o.Reason)
	}
	return b.String()
}
