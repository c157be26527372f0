// Package configtest is `seatrial configtest`: a module's own tests under a configuration that is about
// to be rolled out.
package configtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/shell"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/component"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
)

// Trial is what the commands run.
type Trial struct {
	Runs  runstore.Store
	Rules []finding.Rule
	// Map runs the tests of a module, Diff those that a change concerns, and Generate those that read something, with
	// values of ours.
	Map      func(context.Context, configtest.Options) (*parameter.Map, error)
	Diff     func(ctx context.Context, o configtest.Options, before, after configtest.Version) (*configtest.Outcome, error)
	Generate func(context.Context, configtest.Options, configtest.Generating) (*configtest.Generation, error)
	// Components is Diff for all components that two versions of manifests tell something else.
	Components func(context.Context, configtest.Options, *component.Comparison) (*configtest.Components, error)
}

const long = `Configtest runs the tests of a Go module with the values of a configuration that is about
to be rolled out. A schema sees values; a test sees what the program does with them.

The module is read, and nothing in it is changed: copies of the libraries that read
configurations (flag, pflag, viper, koanf), and of the module's own code that reads the
fields of its configuration, record what each test reads. They are made outside of the
module, and used by the go command in PATH. docs/configtest.md shows how.`

// New returns the command.
func New(c *console.Console, t Trial) *cobra.Command {
	cmd := &cobra.Command{
		Use: "configtest", Short: "does a program's own test suite pass with the configuration that is to come?",
		Long: long, Args: cobra.NoArgs,
	}
	cmd.AddCommand(newDiff(c, t), newGenerate(c, t), newMap(c, t))
	return cmd
}

// common are the flags of all of them.
type common struct {
	directory, tags, shard string
	race, fresh, allTests  bool
	testTimeout, timeout   time.Duration
	parallel               int
}

func (o *common) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&o.directory, "directory", "C", "", "the `FOLDER` of the module; packages are relative to it")
	flags.StringVar(&o.tags, "tags", "", "build tags, apart by commas")
	flags.BoolVar(&o.race, "race", false, "build the tests with the race detector")
	flags.DurationVar(&o.testTimeout, "test-timeout", configtest.DefaultTimeout, "how long one test may take")
	flags.DurationVar(&o.timeout, "timeout", 0, "end after this long, and say what was found; 0 for never")
	flags.IntVar(&o.parallel, "parallel", 0, "run `N` tests at once; 0 for as many as there are processors")
	flags.BoolVar(&o.fresh, "fresh", false, "run all tests to see what they read, also those that are known")
}

// registerChoice is for commands that choose tests.
func (o *common) registerChoice(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.allTests, "all-tests", false, "run all tests that read a parameter, also where these are more than a fifth of the module's, or take long")
}

// options are those of a run.
func (o *common) options(cmd *cobra.Command, c *console.Console, packages []string) (configtest.Options, *console.Progress, error) {
	usage := func(format string, args ...any) error {
		return failure.Usage(cmd.CommandPath(), fmt.Sprintf(format, args...))
	}
	out := configtest.Options{
		Directory: o.directory, Packages: packages, Tags: o.tags, Race: o.race, Timeout: o.testTimeout, Workers: o.parallel, Environment: os.Environ(),
	}
	if len(packages) == 0 {
		out.Packages = []string{"./..."}
	}
	switch {
	case o.testTimeout <= 0:
		return out, nil, usage("--test-timeout=%v: it has to be more than nothing", o.testTimeout)
	case o.timeout < 0:
		return out, nil, usage("--timeout=%v: it has to be more than nothing", o.timeout)
	case o.parallel < 0:
		return out, nil, usage("--parallel=%d: it has to be 0 or more", o.parallel)
	}
	if o.directory != "" {
		if info, err := os.Stat(o.directory); err != nil || !info.IsDir() {
			return out, nil, failure.Input(fmt.Errorf("-C %s: there is no such folder", o.directory))
		}
	}
	if o.shard != "" {
		part, of, has := strings.Cut(o.shard, "/")
		var err error
		if out.Shard, err = strconv.Atoi(part); err == nil {
			out.Shards, err = strconv.Atoi(of)
		}
		if !has || err != nil || out.Shard < 1 || out.Shard > out.Shards {
			return out, nil, usage("--shard=%s: it is of the form 2/5, the second of five parts", o.shard)
		}
	}
	out.Cache, out.Builds = cache()
	out.Fresh, out.AllTests = o.fresh, o.allTests
	p := c.Progress()
	out.Progress = func(s configtest.Progress) {
		text := s.Doing
		if s.All > 0 {
			text = fmt.Sprintf("%s: %d of %s", s.Doing, s.Done, report.Count(s.All, "test", "tests"))
		}
		p.Tell(s.Doing, text)
	}
	return out, p, nil
}

// cache is where what was seen of tests is kept: by this very program, since another one may see more; and where what
// was built is, which says itself what it was made from. Empty for nowhere.
func cache() (seen, builds string) {
	folder, err := os.UserCacheDir()
	if err != nil {
		return "", ""
	}
	folder = filepath.Join(folder, "seatrial", "configtest")
	builds = filepath.Join(folder, "builds")
	self, err := os.Executable()
	if err != nil {
		return "", builds
	}
	info, err := os.Stat(self)
	if err != nil {
		return "", builds
	}
	sum := sha256.Sum256([]byte(fmt.Sprint(self, info.Size(), info.ModTime().UnixNano())))
	return filepath.Join(folder, hex.EncodeToString(sum[:8])), builds
}

// words are the flags that stand in the command that repeats a run.
func (o *common) words(timeout time.Duration) []string {
	var out []string
	for _, f := range []struct{ name, value string }{{"-C ", o.directory}, {"--tags=", o.tags}} {
		if f.value != "" {
			out = append(out, f.name+shell.Quote(f.value))
		}
	}
	if o.race {
		out = append(out, "--race")
	}
	if o.allTests {
		out = append(out, "--all-tests")
	}
	if o.testTimeout != timeout {
		out = append(out, fmt.Sprintf("--test-timeout=%s", o.testTimeout))
	}
	return out
}

// limited is a context that ends after --timeout.
func (o *common) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.timeout == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, o.timeout)
}

// failed is an error of a run.
func failed(err error) error {
	if configtest.IsInput(err) {
		return failure.Input(err)
	}
	return failure.Internal(err)
}
