package lint

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestRepository holds every Go file of every module to the rules.
func TestRepository(t *testing.T) {
	sources, err := load(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	modules := map[string]int{}
	for _, s := range sources {
		modules[strings.Split(s.name, "/")[0]]++
	}
	for _, module := range []string{"cmd", "statespace", "trace", "finding", "report", "internal", "apiproxy", "configtest", "controlplane", "history"} {
		if modules[module] == 0 {
			t.Errorf("no file of %s was read", module)
		}
	}
	if len(exceptions) > exceptionsMax {
		t.Errorf("%d exceptions, at most %d", len(exceptions), exceptionsMax)
	}
	used := make([]bool, len(exceptions))
	for _, s := range sources {
		for _, p := range check(s) {
			if i := excepted(p); i >= 0 {
				used[i] = true
				continue
			}
			t.Errorf("%s [%s]", p, p.rule)
		}
	}
	for i, e := range exceptions {
		if !used[i] {
			t.Errorf("exception %s [%s] is not needed any more", e.place, e.rule)
		}
		if len(e.reason) < 20 {
			t.Errorf("exception %s [%s] has no reason", e.place, e.rule)
		}
	}
}

func check(s *source) []problem {
	var found []problem
	for _, r := range rules {
		found = append(found, r.check(s)...)
	}
	return found
}

var lineNumber = regexp.MustCompile(`:[0-9]+$`)

func excepted(p problem) int {
	for i, e := range exceptions {
		if e.rule == p.rule && e.place == lineNumber.ReplaceAllString(p.place, "") {
			return i
		}
	}
	return -1
}

// TestRulesBite shows for every rule a file that it refuses and one, as close
// as can be, that it lets pass.
func TestRulesBite(t *testing.T) {
	long := strings.Repeat("\n", fileLinesMax+1)
	body := strings.Repeat("\n", functionLinesMax)
	word := "TO" + "DO"
	wide := strings.Repeat("x ", (commentWidthMax-4)/2) + "x"
	cases := []struct{ rule, refused, passes, refusedText, passesText string }{
		{"core imports no Kubernetes", "trace/a.go", "cmd/seatrial/internal/cluster/a.go", `import _ "k8s.io/api/core/v1"`, `import _ "k8s.io/api/core/v1"`},
		{"core imports no Kubernetes", "finding/a_test.go", "finding/a_test.go", `import _ "sigs.k8s.io/yaml"`, `import _ "os"`},
		{"statespace imports the standard library and a hash", "statespace/a.go", "statespace/a.go", `import _ "github.com/google/go-cmp/cmp"`, `import _ "github.com/zeebo/xxh3"`},
		{"statespace imports the standard library and a hash", "statespace/a.go", "statespace/a.go", `import _ "github.com/seatrial/seatrial/trace"`, `import _ "github.com/seatrial/seatrial/internal/invariant"`},
		{"report imports finding and trace", "report/text/a.go", "report/text/a.go", `import _ "github.com/seatrial/seatrial/statespace"`, `import _ "github.com/seatrial/seatrial/finding"`},
		{"report imports finding and trace", "report/text/a.go", "report/text/a_test.go", `import _ "github.com/seatrial/seatrial/internal/sample"`, `import _ "github.com/seatrial/seatrial/internal/sample"`},
		{"report imports finding and trace", "report/text/a.go", "reporter/a.go", `import _ "golang.org/x/text"`, `import _ "golang.org/x/text"`},
		{"a plane's rooms import the standard library", "controlplane/admin/a.go", "cmd/seatrial/internal/cluster/a.go", `import _ "k8s.io/client-go/rest"`, `import _ "k8s.io/client-go/rest"`},
		{"a plane's rooms import the standard library", "history/a_test.go", "apiproxy/a.go", `import _ "github.com/seatrial/seatrial/trace"`, `import _ "github.com/seatrial/seatrial/controlplane/admin"`},
		{"only the command renders reports", "cmd/seatrial/internal/cluster/a.go", "cmd/seatrial/internal/cli/check/a.go", `import _ "github.com/seatrial/seatrial/report/text"`, `import _ "github.com/seatrial/seatrial/report/text"`},
		{"only the command renders reports", "cmd/seatrial/internal/cluster/a.go", "cmd/seatrial/main.go", `import _ "github.com/seatrial/seatrial/cmd/seatrial/internal/cli"`, `import _ "github.com/seatrial/seatrial/cmd/seatrial/internal/cli"`},
		{"only iostreams touches the terminal", "cmd/seatrial/internal/cli/a.go", "cmd/seatrial/internal/iostreams/a.go", `import _ "golang.org/x/term"`, `import _ "golang.org/x/term"`},
		{"only iostreams touches the terminal", "cmd/seatrial/main.go", "cmd/seatrial/main.go", "import \"os\"\nvar w = os.Stdout", "import \"os\"\nvar w = os.Args"},
		{"only iostreams touches the terminal", "trace/a.go", "trace/a_test.go", "import \"fmt\"\nfunc f() { fmt.Println() }", "import \"fmt\"\nfunc f() { fmt.Println() }"},
		{"only iostreams touches the terminal", "trace/a.go", "trace/a.go", "func f() { println() }", "func f() { println := 1; _ = println }"},
		{"cobra stays in the command", "trace/a.go", "cmd/seatrial/internal/cli/a.go", `import _ "github.com/spf13/cobra"`, `import _ "github.com/spf13/cobra"`},
		{"the command has no templates", "cmd/seatrial/a.go", "cmd/seatrial/a_test.go", `import _ "text/template"`, `import _ "text/template"`},
		{"the command has no templates", "cmd/seatrial/internal/cli/a.go", "cmd/seatrial/internal/cli/a.go", "func f(c interface{ SetVersionTemplate(string) }) { c.SetVersionTemplate(``) }", "func f(c interface{ SetVersion(string) }) { c.SetVersion(``) }"},
		{"no grab-bag packages", "internal/util/a.go", "internal/utility/a.go", "", ""},
		{"no grab-bag packages", "pkg/trace/a.go", "trace/a.go", "", ""},
		{"file size", "trace/a.go", "trace/a.go", long, ""},
		{"file size", "trace/a.go", "trace/zz_generated.go", long, "// Code generated by x. DO NOT EDIT.\n" + long},
		{"function size", "trace/a.go", "trace/a.go", "func f() {" + body + "}", "func f() {}" + body},
		{"no clock and no global randomness", "statespace/a.go", "statespace/a_test.go", "import \"time\"\nvar n = time.Now", "import \"time\"\nvar n = time.Now"},
		{"no clock and no global randomness", "history/a.go", "controlplane/a.go", "import \"time\"\nvar n = time.Now", "import \"time\"\nvar n = time.Now"},
		{"no clock and no global randomness", "cmd/seatrial/internal/upstream/hpa/a.go", "cmd/seatrial/internal/cli/a.go", "import clock \"time\"\nvar n = clock.Now", "import \"time\"\nvar n = time.Now"},
		{"no clock and no global randomness", "cmd/seatrial/internal/cluster/a.go", "cmd/seatrial/internal/cluster/a.go", "import \"math/rand/v2\"\nvar n = rand.IntN", "import \"math/rand/v2\"\nvar n = rand.New"},
		{"no promises in comments", "trace/a.go", "trace/a.go", "// " + word + ": later", `var s = "` + word + `"`},
		{"comment width", "trace/a.go", "trace/a.go", "\t// " + wide, "// " + wide},
		{"comment width", "trace/a.go", "trace/a.go", "// wide " + wide, "var a = 1 // wide " + wide + "\n\n//\twide " + wide + "\n\n// " + strings.Repeat("x", commentWidthMax)},
		{"no skipped tests and no sleeping", "trace/a_test.go", "trace/a.go", "func f(t T) { t.Skip() }", "func f(t T) { t.Skip() }"},
		{"no skipped tests and no sleeping", "trace/a_test.go", "trace/a_test.go", "import \"time\"\nfunc f() { time.Sleep(1) }", "import \"time\"\nvar d time.Duration"},
		{"no skipped tests and no sleeping", "trace/a.go", "trace/a_test.go", "import \"time\"\nimport \"testing/synctest\"\nfunc f() { time.Sleep(1) }\nvar _ = synctest.Test", "import \"time\"\nimport \"testing/synctest\"\nfunc f() { time.Sleep(1) }\nvar _ = synctest.Test"},
	}
	covered := map[string]bool{}
	for _, c := range cases {
		covered[c.rule] = true
		if got := found(t, c.refused, c.refusedText); got != c.rule {
			t.Errorf("%s: %q is refused by %q, want %q", c.refused, head(c.refusedText), got, c.rule)
		}
		if got := found(t, c.passes, c.passesText); got != "" {
			t.Errorf("%s: %q is refused by %q", c.passes, head(c.passesText), got)
		}
	}
	for _, r := range rules {
		if !covered[r.name] {
			t.Errorf("rule %q has no case", r.name)
		}
	}
}

// found names the rules that refuse a file.
func found(t *testing.T, name, text string) string {
	t.Helper()
	folder := filepath.Base(filepath.Dir(name))
	clause := "package " + folder + "\n"
	comment, rest := "", text
	if strings.HasPrefix(text, "// Code generated") {
		comment, rest, _ = strings.Cut(text, "\n")
	}
	s, err := parse(name, []byte(comment+"\n"+clause+rest))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range check(s) {
		if len(names) == 0 || names[len(names)-1] != p.rule {
			names = append(names, p.rule)
		}
	}
	return strings.Join(names, ", ")
}

func head(s string) string {
	s = strings.TrimSpace(s)
	return s[:min(len(s), 60)]
}

// TestPromisesOutsideGo looks for them in scripts, manifests and documents too.
func TestPromisesOutsideGo(t *testing.T) {
	root := filepath.Join("..", "..")
	kinds := []string{".sh", ".md", ".yaml", ".yml", ".json", ".txtar"}
	read := 0
	err := filepath.WalkDir(root, func(full string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "bin" || d.Name() == ".seatrial"):
			return filepath.SkipDir
		case d.IsDir() || d.Name() != "Makefile" && d.Name() != "run" && !slices.Contains(kinds, filepath.Ext(full)):
			return nil
		}
		text, err := os.ReadFile(full)
		if err != nil {
			return err
		}
		read++
		for i, line := range strings.Split(string(text), "\n") {
			if word := promise.FindString(line); word != "" {
				t.Errorf("%s:%d: says %s", full, i+1, word)
			}
		}
		return nil
	})
	if err != nil || read < 10 {
		t.Errorf("%d files were read: %v", read, err)
	}
}
