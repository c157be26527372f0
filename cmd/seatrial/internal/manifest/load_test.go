package manifest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

// testOptions are the options of every transcript.
var testOptions = Options{
	Rules: []string{"SEA1004", "available", "settles", "drains-end"},
	ValidateDescheduler: func(raw []byte) error {
		if strings.Contains(string(raw), "RemoveDuplicatez") {
			return fmt.Errorf("profiles[0].plugins.balance: no plugin RemoveDuplicatez")
		}
		if strings.Contains(string(raw), "-1") {
			return fmt.Errorf("load: cannot unmarshal number -1 into Go struct field DefaultEvictorArgs.minReplicas of type uint")
		}
		return nil
	},
	ValidateExpression: func(e scenario.Expression) error {
		if strings.Contains(e.Text, "pods.al(") {
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

// TestTheManualLoads loads every example of the Scenario's manual beside the
// manifests that the manual says they are about.
func TestTheManualLoads(t *testing.T) {
	manual, err := os.ReadFile("../../../../docs/scenario.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(manual), "```yaml\n")[1:]
	if len(blocks) < 9 {
		t.Fatalf("only %d examples", len(blocks))
	}
	for i, block := range blocks {
		text, _, _ := strings.Cut(block, "\n```")
		in, err := Load(context.Background(), []string{"testdata/with", "-"}, strings.NewReader(text), Options{})
		if err != nil {
			t.Errorf("example %d:\n%s\n%v", i+1, text, err)
			continue
		}
		for _, w := range in.Warnings {
			if !strings.HasPrefix(w.Message, "spec.accept: ") {
				t.Errorf("example %d: %s", i+1, w.Message)
			}
		}
		if in.Scenario == nil {
			t.Errorf("example %d is not a Scenario", i+1)
		}
	}
}

// TestTheManualHasEveryField looks for every field and every type of event in
// the manual, and for the fields of each type in its row.
func TestTheManualHasEveryField(t *testing.T) {
	manual, err := os.ReadFile("../../../../docs/scenario.md")
	if err != nil {
		t.Fatal(err)
	}
	types := []reflect.Type{reflect.TypeFor[scenario.Spec]()}
	for len(types) > 0 {
		next := types[0]
		types = types[1:]
		fields := map[string]reflect.Type{}
		collectFields(next, fields)
		for name, field := range fields {
			if !strings.Contains(string(manual), name+"`") && !strings.Contains(string(manual), name+": ") {
				t.Errorf("%s.%s is not in the manual", next.Name(), name)
			}
			for field.Kind() == reflect.Pointer || field.Kind() == reflect.Slice {
				field = field.Elem()
			}
			if field.Kind() == reflect.Struct && strings.HasSuffix(field.PkgPath(), "internal/scenario") {
				types = append(types, field)
			}
		}
	}
	_, events, _ := strings.Cut(string(manual), "\n| type | what happens |")
	for _, event := range scenario.EventTypes() {
		_, row, _ := strings.Cut(events, "\n| `"+string(event)+"` |")
		row, _, _ = strings.Cut(row, "\n")
		if row == "" {
			t.Errorf("the manual has no row for events of type %s", event)
		}
		for field, needed := range event.Fields() {
			if got := strings.Contains(row, "**`"+field+"`**"); got != needed || !strings.Contains(row, "`"+field+"`") {
				t.Errorf("events of type %s: field %s is not in the row as it should be", event, field)
			}
		}
	}
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
