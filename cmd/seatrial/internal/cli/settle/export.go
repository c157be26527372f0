package settle

import (
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/config"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/settle/regression"
	"github.com/seatrial/seatrial/finding"
	reportjson "github.com/seatrial/seatrial/report/json"
)

const exportLong = `Export writes a trace that was kept as a Go test, to standard output. It is a test as others
are, with a line for each step: it drives the reconcilers with clients of controller-runtime against the
API server of KUBECONFIG (of envtest, or of seatrial controlplane), lets their requests through
one by one, loses answers, kills processes and stops caches where the trace does, and fails if a
contract is broken, or if it does not come to what is desired. It is in the package of the
operator, whose expression for the configuration it calls.

What actors of the environment do, the test does: the API server needs no controllers, and is to have
none (seatrial controlplane --controllers='-*' --api-server=disable-admission-plugins=ServiceAccount). A settle.System is asked in the test, and its requests are
let through as those to the API server are. A resync is refused, which would need a clock.`

const exportExamples = `  seatrial settle export --config='config(Buggy)' internal/controller/testdata/settle/TestBuggy.json`

type export struct {
	regression.Options
}

func newExport(c *console.Console) *cobra.Command {
	o := &export{}
	cmd := &cobra.Command{
		Use: "export [flags] FILE", Short: "write a trace that was kept as a Go test", Long: exportLong, Example: exportExamples, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return failure.Usage(cmd.CommandPath(), "one file with a trace is wanted: testdata/settle has those that were kept")
			}
			if o.Config == "" {
				return failure.Usage(cmd.CommandPath(), "--config is needed: the expression by which tests of the package make the settle.Config")
			}
			return o.run(c, args[0])
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.Config, "config", "", "the settle.Config, as an `EXPRESSION` of the package")
	flags.StringVar(&o.Package, "package", "", "the `NAME` of the package; empty for that of the folder in which testdata is")
	flags.StringArrayVar(&o.Imports, "import", nil, "import `PATH`, which the expression needs and the tests of the package do not import; repeatable")
	config.LineOnly(flags, "config", "package", "import")
	return cmd
}

func (o *export) run(c *console.Console, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return failure.Input(err)
	}
	r, err := reportjson.Read(bytes.NewReader(text))
	if err != nil {
		return failure.Input(fmt.Errorf("%s: %w", file, err))
	}
	found, err := traced(r)
	folder := filepath.Dir(filepath.Dir(filepath.Dir(file))) // of the package, which has testdata/settle
	if err == nil && o.Package == "" {
		o.Package, err = packageOf(folder)
	}
	if err != nil {
		return failure.Input(fmt.Errorf("%s: %w", file, err))
	}
	o.Test, o.Imports = testName(file), slices.Compact(slices.Sorted(slices.Values(append(needed(folder, o.Config), o.Imports...))))
	o.Draws = slices.ContainsFunc(r.Assumptions, func(a string) bool { return strings.Contains(a, draws) })
	o.Title = strings.ReplaceAll(strings.TrimSuffix(found.Rule+" "+found.Name+": "+found.Message, "."), "\n", " ")
	test, err := regression.Write(found.Trace, o.Options)
	if err != nil {
		return failure.Input(fmt.Errorf("%s: %w", file, err))
	}
	return c.Print(string(test))
}

// refused are traces that no test can follow, by what is assumed of them in the words of the
// library (a test of which holds it to these).
var refused = []struct{ assumed, why string }{
	{"tells of reads only where they come late", "its trace does not tell all that is read, since the search that goes read by read did not come to it: have it kept with a larger MaxStates"},
}

// draws is what is assumed of a trace whose reconcilers draw, as above.
const draws = "what a reconcile draws"

// traced is the result of a report that has a trace.
func traced(r *finding.Report) (*finding.Result, error) {
	for _, one := range refused {
		if slices.ContainsFunc(r.Assumptions, func(a string) bool { return strings.Contains(a, one.assumed) }) {
			return nil, errors.New(one.why)
		}
	}
	for i := range r.Results {
		if p := &r.Results[i]; p.Trace != nil && p.Verdict == finding.Violated {
			return p, nil
		}
	}
	return nil, errors.New("it has no trace")
}

// letters are what a name of a test may have.
var letters = regexp.MustCompile(`[^A-Za-z0-9]+`)

// testName is the name of the test that a file is exported as.
func testName(file string) string {
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	return "TestRegression" + letters.ReplaceAllString(strings.TrimPrefix(name, "Test"), "")
}

// packageOf is the name of the package in a folder.
func packageOf(folder string) (string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return "", err
	}
	for _, file := range files {
		if parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly); err == nil {
			return parsed.Name.Name, nil
		}
	}
	return "", fmt.Errorf("there is no test in %s to see the package's name from: give it with --package", folder)
}
