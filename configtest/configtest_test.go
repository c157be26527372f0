package configtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// asked is a test that is asked by seatrial; stopped is what it was ended with.
type asked struct {
	testing.TB
	stopped string
}

func (a *asked) Fatal(all ...any)               { a.stopped = fmt.Sprint(all...); panic(a) }
func (a *asked) Fatalf(format string, v ...any) { a.Fatal(fmt.Sprintf(format, v...)) }

func try(t *testing.T, run func(testing.TB)) string {
	t.Helper()
	a := &asked{TB: t}
	func() {
		defer func() {
			if r := recover(); r != nil && r != any(a) {
				panic(r)
			}
		}()
		run(a)
	}()
	return a.stopped
}

// TestMarks: what is written is what seatrial reads, and without it nothing is.
func TestMarks(t *testing.T) {
	asks := t.TempDir()
	marked := func(t testing.TB) {
		Param(t, "flag:workers", "flag:--v", "env:APP_PORT")
		Optional(t, "viper:a.b")
		Only(t, "field:config.Config.sweep.workers")
	}
	t.Cleanup(func() { folder = "" })
	folder = ""
	if said := try(t, marked); said != "" {
		t.Error(said)
	}
	folder = asks
	if said := try(t, marked); said != "" {
		t.Error(said)
	}
	text, err := os.ReadFile(filepath.Join(asks, "log"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 4 || fields[2] != `""` || !strings.Contains(fields[3], "configtest_test.go:") {
			t.Fatalf("a line is %q", line)
		}
		got = append(got, fields[0]+" "+fields[1])
	}
	if want := "mark flag:--workers, mark flag:--v, mark env:APP_PORT, optional viper:a.b, only field:config.Config.sweep.workers"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
}

// TestWrongNames: a name that is none is said in a plain test run, too.
func TestWrongNames(t *testing.T) {
	for _, name := range []string{"workers", "flags:x", "flag:", "flag:--", "env:A\tB", ""} {
		if said := try(t, func(t testing.TB) { Param(t, name) }); !strings.Contains(said, "is no parameter: write flag:NAME") {
			t.Errorf("%q: %q", name, said)
		}
	}
	if said := try(t, func(t testing.TB) { Only(t) }); said != "configtest: no parameter is named" {
		t.Error(said)
	}
}

// TestPatch: without seatrial it gives what it is given.
func TestPatch(t *testing.T) {
	type config struct{ Workers int }
	if c := (&config{Workers: 3}); Patch(t, c) != c || c.Workers != 3 {
		t.Errorf("it is %+v", c)
	}
}
