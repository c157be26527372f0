// Package keep leaves what a command has run in the run store.
package keep

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
)

// variable is how the environment says that nothing is to be kept.
const variable = "SEATRIAL_SAVE"

// Keeper keeps one run of a command.
type Keeper struct {
	store  runstore.Store
	wanted bool
	began  time.Time
	flags  *pflag.FlagSet
}

// New returns the keeper of a command, to which it adds the flag --save. A store
// without a folder keeps nothing.
func New(cmd *cobra.Command, store runstore.Store) *Keeper {
	k := &Keeper{store: store, flags: cmd.Flags()}
	cmd.Flags().BoolVar(&k.wanted, "save", true, "keep the run in .seatrial/runs, for 'seatrial report' and 'seatrial runs'")
	return k
}

// Begin notes when the run begins.
func (k *Keeper) Begin(c *console.Console) { k.began = c.Now() }

// Keeps tells whether anything of a run is kept, if it can be: the run itself, and what is noted to go on with it.
func (k *Keeper) Keeps(c *console.Console) bool {
	return k != nil && k.store.Folder != "" && k.wanted && !off(c.Streams.Env(variable))
}

// Kept is what is known of a run at its end.
type Kept struct {
	Document output.Document
	// Verdict is empty for a run that judges nothing.
	Verdict string
	Code    finding.Code
	Command string
	Inputs  []runstore.Input
}

// End keeps the run, and returns its id, or nothing. That it cannot be kept is a
// warning: what was found has been said, and the exit code stays.
func (k *Keeper) End(c *console.Console, r Kept) (id string) {
	if !k.Keeps(c) {
		return ""
	}
	run := runstore.Run{
		Command: r.Command, Options: k.given(), Began: k.began, Seconds: c.Now().Sub(k.began).Round(time.Millisecond).Seconds(),
		Version: c.Version, Inputs: r.Inputs, Digest: digest(r.Inputs), Verdict: r.Verdict, Code: int(r.Code),
	}
	if report := r.Document.Report; report != nil {
		run.Kubernetes, run.Results = report.Kubernetes, tally(report)
	} else if s := r.Document.Simulation; s != nil {
		run.Kubernetes = s.Kubernetes
	}
	for _, f := range r.Document.Facts {
		run.Facts = append(run.Facts, runstore.Fact{Name: f.Name, Value: f.Value})
	}
	id, err := k.store.Save(run, forms(r.Document), c.Log())
	if err != nil {
		c.Notice("warning: this run is not kept in %s: %v (--save=false does not try)", k.store.Folder, err)
		return ""
	}
	if c.Verbose > 0 {
		c.Linef("kept as run %s", id)
	}
	return id
}

func off(value string) bool {
	return slices.Contains([]string{"false", "0", "no", "off"}, strings.ToLower(value))
}

// given are the flags of the command line.
func (k *Keeper) given() map[string]string {
	options := map[string]string{}
	k.flags.Visit(func(f *pflag.Flag) { options[f.Name] = f.Value.String() })
	return options
}

// forms are a document whole and with fewer traces, which are what is long.
func forms(d output.Document) []runstore.Form {
	all := []runstore.Form{{JSON: func() ([]byte, error) { return output.Encode(d) }}}
	if d.Report == nil || d.Own[output.JSON] != nil {
		return all
	}
	less := func(traces int) func() ([]byte, error) {
		return func() ([]byte, error) {
			short := *d.Report
			short.Results = slices.Clone(short.Results)
			for i := range short.Results {
				if len(short.Results[i].Traces()) == 0 {
					continue
				}
				if traces--; traces < 0 {
					short.Results[i].Trace, short.Results[i].Reference = nil, nil
				}
			}
			return output.Encode(output.Document{Report: &short})
		}
	}
	return append(all,
		runstore.Form{JSON: less(1), Without: "all traces but the first"},
		runstore.Form{JSON: less(0), Without: "the traces"})
}

func tally(r *finding.Report) (t runstore.Tally) {
	for _, one := range r.Results {
		switch {
		case one.Ignored != nil:
			t.Ignored++
		case one.Verdict == finding.Violated:
			t.Violated++
		case one.Verdict == finding.Holds:
			t.Holds++
		default:
			t.Inconclusive++
		}
	}
	return t
}

// digest is of all inputs together: equal inputs under equal names have the same.
func digest(inputs []runstore.Input) string {
	if len(inputs) == 0 {
		return ""
	}
	var lines []string
	for _, in := range inputs {
		lines = append(lines, fmt.Sprintf("%s %q\n", in.SHA256, in.File))
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "")))
	return hex.EncodeToString(sum[:])
}
