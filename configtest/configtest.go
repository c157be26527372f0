// Package configtest lets tests say what they have to do with the configuration of their program, for `seatrial
// configtest`. It is for those who want to: nothing has to be marked for that to work.
//
//	func TestShutdown(t *testing.T) {
//		configtest.Param(t, "flag:shutdown-grace", "env:APP_TIMEOUT")
//		o := configtest.Patch(t, &options{Listen: ":0", Grace: time.Minute})
//		…
//	}
//
// In a plain `go test` none of this does anything.
//
// A parameter has the name that `seatrial configtest map` shows: flag:NAME, env:NAME, viper:KEY, koanf:KEY,
// ini:SECTION.KEY, properties:KEY, feature:GATE, or a field of a type of configuration by the names that files have for
// it, field:config.Config.sweep.workers.
package configtest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// Param marks a test as one that is about some parameters: it reads at least these. When one of them changes, the test
// is run with the new value. A mark that is not true, since the test was not seen to read the parameter, is said, and
// `seatrial configtest map` exits with 1.
func Param(t testing.TB, names ...string) {
	t.Helper()
	mark(t, "mark", names)
}

// Only is Param for a test that reads these parameters and no others but optional ones: one more is said, too.
func Only(t testing.TB, names ...string) {
	t.Helper()
	mark(t, "only", names)
}

// Optional marks a test as one that may read some parameters, in a way that seatrial does not see, as by a template.
// When one of them changes, the test is run with the new value; if it passes, that it has read it is not known.
func Optional(t testing.TB, names ...string) {
	t.Helper()
	mark(t, "optional", names)
}

// Patch puts the changed values of a configuration into a struct that a test has made itself, and gives it back. So a
// test that goes past the loader of its program has them, too. What the test sets afterwards is the test's.
//
// It does so where `seatrial configtest` has rewritten the call; the type is one that the program decodes a file into,
// makes with defaults, or binds flags to.
func Patch[T any](t testing.TB, into *T) *T {
	t.Helper()
	return into
}

// kinds are those of parameters.
var kinds = []string{"flag", "env", "viper", "koanf", "field", "ini", "properties", "feature"}

// folder is where seatrial looks, if it asks. It is read before any TestMain runs, which may empty the environment.
var folder = os.Getenv("SEATRIAL_CONFIGTEST")

// mark writes what a test says of itself, if seatrial asks.
func mark(t testing.TB, verb string, names []string) {
	t.Helper()
	if len(names) == 0 {
		t.Fatal("configtest: no parameter is named")
	}
	ids := make([]string, 0, len(names))
	for _, name := range names {
		id, err := identity(name)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if folder == "" {
		return
	}
	const callers = 2 // this function, and the one that is exported
	_, file, line, _ := runtime.Caller(callers)
	log, err := os.OpenFile(filepath.Join(folder, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatalf("configtest: %v", err)
	}
	defer log.Close()
	for _, id := range ids {
		// One write for each line: the program writes there, too.
		if _, err := log.WriteString(verb + "\t" + id + "\t" + strconv.Quote("") + "\t" + file + ":" + strconv.Itoa(line) + "\n"); err != nil {
			t.Fatalf("configtest: %v", err)
		}
	}
}

// identity is a parameter as seatrial has it.
func identity(name string) (string, error) {
	kind, rest, has := strings.Cut(name, ":")
	known := false
	for _, k := range kinds {
		known = known || k == kind
	}
	if !has || !known || strings.Trim(rest, "-") == "" || strings.ContainsAny(rest, "\t\n") {
		return "", fmt.Errorf("configtest: %q is no parameter: write flag:NAME, env:NAME, viper:KEY, koanf:KEY, ini:SECTION.KEY, properties:KEY, feature:GATE or field:TYPE.KEY", name)
	}
	if kind == "flag" {
		rest = "--" + strings.TrimLeft(rest, "-")
	}
	return kind + ":" + rest, nil
}
