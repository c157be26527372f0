package configtest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// copying has tests that bring along what is deployed, as many do that write a whole file to change one line of it.
var copying = map[string]string{
	"go.mod": "module example.com/copying\n\ngo 1.24\n",
	"config.go": `package copying

import (
	"encoding/json"
	"errors"
	"os"
)

type Config struct {
	Workers int    ` + "`json:\"workers\"`" + `
	Queue   int    ` + "`json:\"queue\"`" + `
	Mode    string ` + "`json:\"mode\"`" + `
	Name    string ` + "`json:\"name\"`" + `
}

func Load(file string) (*Config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c := &Config{Workers: 1, Queue: 1}
	return c, json.Unmarshal(text, c)
}

// Each is how much of the queue each worker has.
func (c *Config) Each() int { return c.Queue / c.Workers }

func (c *Config) Fast() (bool, error) {
	switch c.Mode {
	case "fast":
		return true, nil
	case "safe":
		return false, nil
	}
	return false, errors.New("which mode is that?")
}
`,
	"config_test.go": `package copying

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const text = ` + "`" + `{"workers": 4, "queue": 100, "mode": "fast", "name": "test"}` + "`" + `

func load(t *testing.T, text string) *Config {
	file := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEach(t *testing.T) {
	if load(t, text).Each() < 10 {
		t.Error("too little for a worker")
	}
}

func TestMode(t *testing.T) {
	if _, err := load(t, text).Fast(); err != nil {
		t.Error(err)
	}
}

func TestSafe(t *testing.T) {
	if fast, err := load(t, strings.Replace(text, "fast", "safe", 1)).Fast(); fast || err != nil {
		t.Error(fast, err)
	}
}

// TestAny reads the mode as it is deployed, and takes any.
func TestAny(t *testing.T) {
	t.Log(load(t, "{}").Mode)
}

func TestShort(t *testing.T) {
	if n := load(t, strings.Replace(text, "100", "8", 1)).Each(); n > 2 {
		t.Error("each has", n)
	}
}

func TestName(t *testing.T) {
	if load(t, text).Name != "test" {
		t.Error("whose is it?")
	}
}

func TestQueue(t *testing.T) {
	if n := load(t, text).Queue; n != 100 {
		t.Error("it is", n)
	}
}
`,
}

// TestCopied: a test that brings along a copy of what is deployed is a test of that; what it has changed there is its
// own.
func TestCopied(t *testing.T) {
	pace.Slow(t)
	folder := t.TempDir()
	for name, text := range copying {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cache := t.TempDir()
	const deployed = `{"workers": 4, "queue": 100, "mode": "fast", "name": "shop"}`
	for _, c := range []struct{ before, after, want string }{
		{deployed, `{"workers": 0, "queue": 100, "mode": "fast", "name": "shop"}`, "violated no-panic workers: TestEach: panic: runtime error: integer divide by zero"},
		{deployed, `{"workers": 4, "queue": 100, "mode": "quick", "name": "shop"}`, "violated passes mode: TestMode: which mode is that? (config_test.go:32)"},
		{deployed, `{"workers": 4, "queue": 20, "mode": "fast", "name": "shop"}`, "violated passes queue: TestEach: too little for a worker (config_test.go:26)"},
		{deployed, `{"workers": 4, "queue": 120, "mode": "fast", "name": "shop"}`, "holds passes queue: 1 test passes with it"},
		// TestShort has a queue of its own, which does not go with it.
		{`{"workers": 4, "queue": 100, "mode": "fast", "name": "test"}`, `{"workers": 2, "queue": 100, "mode": "fast", "name": "test"}`, "holds passes workers: 1 test passes with it"},
		{deployed, `{"workers": 4, "queue": 100, "mode": "fast", "name": "shops"}`, "inconclusive passes name: overridden by the test: TestEach, TestMode, TestName, and 3 more"},
		// What the tests have is no copy of this. The program panics whatever else it has.
		{`{"workers": 2, "queue": 200, "mode": "safe", "name": "shop"}`, `{"workers": 0, "queue": 200, "mode": "safe", "name": "shop"}`, "violated no-panic workers: TestEach: panic: runtime error: integer divide by zero"},
		{`{"workers": 2, "queue": 200, "mode": "safe", "name": "shop"}`, `{"workers": 2, "queue": 10, "mode": "safe", "name": "shop"}`, "inconclusive passes queue: overridden by the test: TestEach, TestMode, TestName, and 3 more"},
	} {
		var versions [2]Version
		for i, text := range []string{c.before, c.after} {
			versions[i] = version(t, "c.json", text)
		}
		o, err := Diff(t.Context(), options(t, folder, cache), versions[0], versions[1])
		if err != nil {
			t.Fatal(err)
		}
		r := o.Report(folder).Results[0]
		if got := fmt.Sprintf("%s %s %s: %s%s", r.Verdict, r.Name, r.Subject, r.Message, r.Reason); got != c.want {
			t.Errorf("%s → %s: %s\nwant %s", c.before, c.after, got, c.want)
		}
	}
}
