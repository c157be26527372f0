package run

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// shop is a module: tests that end in every way, two packages of one name, one that does not compile.
var shop = map[string]string{
	"go.mod":           "module example.com/shop\n\ngo 1.24\n",
	"settings.json":    "default",
	"a/same/a.go":      "package same\n",
	"a/same/a_test.go": "package same\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n",
	"b/same/b_test.go": "package same_test\n\nimport \"testing\"\n\nfunc TestB(t *testing.T) { t.Fatal(\"b\") }\n",
	"away/away_test.go": `package away

import ("os"; "testing")

func TestAway(t *testing.T) {}

func TestMain(m *testing.M) {
	if os.Getenv("SHOP_PORT") != "" {
		os.Exit(0) // as where there is no database
	}
	m.Run()
}
`,
	"broken/broken.go": "package broken\n\nfunc f() int { return \"x\" }\n",
	"broken/x_test.go": "package broken\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {}\n",
	"ways/v2/ways_test.go": `package ways

import (
	"os"
	"strings"
	"testing"
)

func TestPasses(t *testing.T)    {}
func TestFails(t *testing.T)     { t.Error("no") }
func TestPanics(t *testing.T)    { panic("oh") }
func TestExits(t *testing.T)     { os.Exit(3) }
func TestHangs(t *testing.T)     { select {} }
func TestIsSkipped(t *testing.T) { t.Skip() }
func TestAsks(t *testing.T) {
	if os.Getenv("SHOP_PORT") != "80" || os.Getenv("GONE") != "" {
		t.Error(os.Getenv("SHOP_PORT"), os.Getenv("GONE"))
	}
	if text, err := os.ReadFile("../../settings.json"); err != nil || strings.TrimSpace(string(text)) != "other" {
		t.Error(string(text), err)
	}
}
func Testing(t *testing.T)     {} // is no test
func TestMain(m *testing.M)    { os.Exit(m.Run()) }
`,
}

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// TestEndings: each test has a process, and how that ends is told apart.
func TestEndings(t *testing.T) {
	folder := write(t, shop)
	m, err := Find(t.Context(), filepath.Join(folder, "ways"), "", append(os.Environ(), "GONE=here", "GOWORK=off"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if m.Path != "example.com/shop" || m.Directory != folder {
		t.Errorf("the module is %s in %s", m.Path, m.Directory)
	}
	packages, err := m.Packages(t.Context(), []string{"./..."}, "")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := m.Compile(t.Context(), Build{Folder: t.TempDir()}, packages)
	if err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	if err := m.Copy(other, map[string][]byte{"settings.json": []byte("other")}); err != nil {
		t.Fatal(err)
	}
	values := Values{Environment: map[string]string{"SHOP_PORT": "80"}, Unset: []string{"GONE"}, Module: other}
	r := &Runner{Module: m, Folder: t.TempDir(), Timeout: 2 * time.Second}
	var got []string
	for _, p := range programs {
		if p.Name == "broken" {
			if want := `broken/broken.go:3:23: cannot use "x"`; !strings.HasPrefix(p.Problem, want) {
				t.Errorf("the problem is %q, want %s", p.Problem, want)
			}
			continue
		}
		if p.Problem != "" {
			t.Errorf("%s: %s", p.Name, p.Problem)
		}
		for _, test := range p.Tests {
			o, err := r.Test(t.Context(), p, test, values)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, p.Name+"."+test+" "+string(o.Ending))
			if test == "TestAsks" && (!slices.Contains(o.Variables, "SHOP_PORT") || !slices.Contains(o.Files, filepath.Join(other, "settings.json"))) {
				t.Errorf("it asked for %v and opened %v", o.Variables, o.Files)
			}
			if test == "TestHangs" && !strings.Contains(o.Output, "TestHangs(") {
				t.Errorf("where it hangs is not in what it printed:\n%s", o.Output)
			}
		}
	}
	want := []string{
		"a/same.TestA passed", "away.TestAway skipped", "b/same.TestB failed", "ways/v2.TestAsks passed", "ways/v2.TestExits exited", "ways/v2.TestFails failed",
		"ways/v2.TestHangs timed out", "ways/v2.TestIsSkipped skipped", "ways/v2.TestPanics panicked", "ways/v2.TestPasses passed",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if left, err := os.ReadDir(r.Folder); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}

// wild are tests that do not stop by themselves.
var wild = map[string]string{
	"go.mod": "module example.com/wild\n\ngo 1.24\n",
	"wild_test.go": `package wild

import ("os"; "os/exec"; "path/filepath"; "testing"; "time")

var all [][]byte

func TestAppends(t *testing.T) {
	for {
		all = append(all, make([]byte, 1<<20))
	}
}

func TestForks(t *testing.T) {
	for range 3 {
		if err := exec.Command("sleep", "77").Start(); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(time.Hour)
}

// TestMultiplies starts processes for ever, also ones that are in no group of its own.
func TestMultiplies(t *testing.T) {
	for {
		if err := exec.Command("/bin/sh", "-c", "sleep 1000 & setsid sleep 1000 &").Start(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTouches(t *testing.T) {
	var all [][]byte
	for {
		some := make([]byte, 16<<20)
		for i := range some {
			some[i] = 1
		}
		all = append(all, some)
		time.Sleep(10 * time.Millisecond)
	}
}

func TestWrites(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "a"))
	for err == nil {
		_, err = f.Write(make([]byte, 1<<20))
	}
	t.Fatal(err)
}

func TestPrints(t *testing.T) {
	for {
		os.Stdout.Write(append(make([]byte, 1<<16), '\n'))
	}
}
`,
}

// TestBounds: what asks for all memory, forks, writes or prints for ever ends, and leaves nothing.
func TestBounds(t *testing.T) {
	m, err := Find(t.Context(), write(t, wild), "", append(os.Environ(), "GOWORK=off"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	packages, err := m.Packages(t.Context(), []string{"./..."}, "")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := m.Compile(t.Context(), Build{Folder: t.TempDir()}, packages)
	if err != nil {
		t.Fatal(err)
	}
	r := &Runner{Module: m, Folder: t.TempDir(), Timeout: 10 * time.Second, File: 16 << 20, Processes: 64, Resident: 512 << 20}
	for test, want := range map[string]struct {
		ending Ending
		says   string
	}{
		"TestAppends": {Panicked, "out of memory"}, "TestForks": {TimedOut, ""}, "TestMultiplies": {Panicked, "fatal error: was killed by seatrial: it has more than 64 processes"}, "TestTouches": {Panicked, "it has more than 512 MiB of memory"}, "TestWrites": {Failed, "file too large"}, "TestPrints": {TimedOut, "are left out"},
	} {
		r.Timeout, r.Memory = time.Second, 256<<20
		if test == "TestTouches" {
			r.Memory = 0 // as with the race detector
		}
		if want.ending != TimedOut {
			r.Timeout = time.Minute
		}
		o, err := r.Test(t.Context(), programs[0], test, Values{})
		if err != nil {
			t.Fatal(err)
		}
		if o.Ending != want.ending || !strings.Contains(o.Output, want.says) {
			t.Errorf("%s %s, want %s and %q in\n%.2000s", test, o.Ending, want.ending, want.says, o.Output)
		}
	}
	if left, err := os.ReadDir(r.Folder); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}

// TestKeys: a key changes with what a package's tests are built from, and with nothing else.
func TestKeys(t *testing.T) {
	files := map[string]string{
		"go.mod":            "module example.com/shop\n\ngo 1.24\n",
		"low/low.go":        "package low\n\nconst X = 1\n",
		"low/low_test.go":   "package low\n\nimport \"testing\"\n\nfunc TestLow(t *testing.T) {}\n",
		"high/high_test.go": "package high\n\nimport (\n\t\"testing\"\n\n\t_ \"example.com/shop/low\"\n)\n\nfunc TestHigh(t *testing.T) {}\n",
		"none/none_test.go": "package none\n\nimport \"testing\"\n\nfunc TestNone(t *testing.T) {}\n",
		"none/testdata/a":   "1",
	}
	folder := write(t, files)
	keys := func(extra string) map[string]string {
		t.Helper()
		m, err := Find(t.Context(), folder, "", append(os.Environ(), "GOWORK=off"), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		packages, err := m.Packages(t.Context(), []string{"./..."}, extra)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]string{}
		for _, p := range packages {
			out[p.Name] = p.Key
		}
		return out
	}
	module := func() string {
		t.Helper()
		m, err := Find(t.Context(), folder, "", append(os.Environ(), "GOWORK=off"), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		text, err := m.Text()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	before, whole := keys(""), module()
	for _, c := range []struct{ file, changes string }{
		{"low/low.go", "high low"}, {"low/low_test.go", "low"}, {"high/high_test.go", "high"}, {"none/testdata/a", "none"}, {"README", ""},
	} {
		full := filepath.Join(folder, c.file)
		if err := os.WriteFile(full, []byte(files[c.file]+"\n// more\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		var changed []string
		for name, key := range keys("") {
			if key != before[name] {
				changed = append(changed, name)
			}
		}
		slices.Sort(changed)
		if got := strings.Join(changed, " "); got != c.changes {
			t.Errorf("%s changes the keys of %q, want %q", c.file, got, c.changes)
		}
		if is := strings.HasSuffix(c.file, ".go"); (module() != whole) != is {
			t.Errorf("%s changes the text of the module: %v, want %v", c.file, !is, is)
		}
		if err := os.WriteFile(full, []byte(files[c.file]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, key := range keys("another version of what instruments") {
		if key == before[name] {
			t.Errorf("%s: the key is the same with other instruments", name)
		}
	}
}

// TestStopped: a test that runs when the context ends was stopped.
func TestStopped(t *testing.T) {
	folder := write(t, shop)
	m, err := Find(t.Context(), folder, "", append(os.Environ(), "GOWORK=off"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	packages, err := m.Packages(t.Context(), []string{"./ways/..."}, "")
	if err != nil {
		t.Fatal(err)
	}
	programs, err := m.Compile(t.Context(), Build{Folder: t.TempDir()}, packages)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := &Runner{Module: m, Folder: t.TempDir(), Timeout: time.Hour}
	if o, err := r.Test(ctx, programs[0], "TestPasses", Values{}); err != nil || o.Ending != Passed {
		t.Fatalf("before it ends there is %v, %v", o, err)
	}
	time.AfterFunc(100*time.Millisecond, cancel) // whether it has begun then or not
	if o, err := r.Test(ctx, programs[0], "TestHangs", Values{}); err != nil || o.Ending != Stopped {
		t.Errorf("the outcome is %v, %v", o, err)
	}
}
