package runs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/stored"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

// schema identifies the JSON form of difference.
const schema = "seatrial.dev/diff/v1alpha1"

// difference is what changed from one run to another.
type difference struct {
	Schema string `json:"schema"`
	From   string `json:"from"`
	To     string `json:"to"`
	// New are violated now and were not, Fixed were and hold now, Unchanged are
	// violated in both, Unknown were violated and have no verdict now.
	New       []entry `json:"new"`
	Fixed     []entry `json:"fixed"`
	Unchanged []entry `json:"unchanged"`
	Unknown   []entry `json:"unknown"`
	// Circumstances are what else differs: versions, flags, inputs.
	Circumstances []string `json:"circumstances"`
}

// entry is one property of one subject.
type entry struct {
	Fingerprint string `json:"fingerprint"`
	Rule        string `json:"rule,omitempty"`
	Name        string `json:"name"`
	Subject     string `json:"subject"`
	// Note says what is to be said besides: why it is unknown, that it is ignored.
	Note string `json:"note,omitempty"`
}

func (e entry) String() string {
	s := strings.TrimSpace(strings.TrimSpace(e.Rule+" "+e.Name) + "  " + e.Subject)
	if e.Note != "" {
		s += " (" + e.Note + ")"
	}
	return s
}

// compare goes by fingerprints: another trace of the same violation is no change.
func compare(from, to stored.Result) difference {
	before, now := from.Document.Report, to.Document.Report
	d := difference{
		Schema: schema, From: from.Name, To: to.Name, New: []entry{}, Fixed: []entry{}, Unchanged: []entry{}, Unknown: []entry{},
		Circumstances: circumstances(from, to),
	}
	was, is := byFingerprint(before), byFingerprint(now)
	for i, print := range finding.Fingerprints(now.Results) {
		r := now.Results[i]
		if r.Verdict != finding.Violated {
			continue
		}
		if b, there := was[print]; there && b.Verdict == finding.Violated {
			d.Unchanged = append(d.Unchanged, entryOf(print, r, ""))
			continue
		}
		d.New = append(d.New, entryOf(print, r, ""))
	}
	for i, print := range finding.Fingerprints(before.Results) {
		r := before.Results[i]
		if r.Verdict != finding.Violated {
			continue
		}
		switch n, there := is[print]; {
		case !there:
			d.Unknown = append(d.Unknown, entryOf(print, r, "not checked any more"))
		case n.Verdict == finding.Holds:
			d.Fixed = append(d.Fixed, entryOf(print, n, ""))
		case n.Verdict == finding.Inconclusive:
			d.Unknown = append(d.Unknown, entryOf(print, n, "inconclusive: "+cmp.Or(n.Reason, "no reason was given")))
		}
	}
	return d
}

func byFingerprint(r *finding.Report) map[string]finding.Result {
	all := map[string]finding.Result{}
	for i, print := range finding.Fingerprints(r.Results) {
		all[print] = r.Results[i]
	}
	return all
}

func entryOf(print string, r finding.Result, note string) entry {
	if r.Ignored != nil {
		note = "ignored"
	}
	return entry{print, r.Rule, r.Name, r.Subject, note}
}

// circumstances are the reasons for which the two runs may differ other than by
// what was mended.
func circumstances(from, to stored.Result) []string {
	out := []string{}
	differs := func(what, a, b string) {
		if a != b {
			out = append(out, fmt.Sprintf("%s: %s → %s", what, cmp.Or(a, "–"), cmp.Or(b, "–")))
		}
	}
	a, b := from.Document.Report, to.Document.Report
	differs("seatrial", a.Version, b.Version)
	differs("Kubernetes", a.Kubernetes, b.Kubernetes)
	differs("command", a.Command, b.Command)
	if from.Run.Digest == "" || to.Run.Digest == "" {
		return out
	}
	if from.Run.Digest == to.Run.Digest {
		return append(out, "the inputs are the same")
	}
	if changed := inputs(from.Run, to.Run); len(changed) > 0 {
		const shown = 5
		text := strings.Join(changed[:min(shown, len(changed))], ", ")
		if len(changed) > shown {
			text += fmt.Sprintf(" and %d more", len(changed)-shown)
		}
		return append(out, "inputs that differ: "+text)
	}
	return append(out, "the inputs differ")
}

// inputs are the files that differ, by name.
func inputs(from, to runstore.Run) []string {
	was := map[string]string{}
	for _, in := range from.Inputs {
		was[in.File] = in.SHA256
	}
	var changed []string
	for _, in := range to.Inputs {
		if was[in.File] != in.SHA256 {
			changed = append(changed, in.File)
		}
		delete(was, in.File)
	}
	for file := range was {
		changed = append(changed, file)
	}
	slices.Sort(changed)
	return changed
}

func (d difference) text(c *console.Console) string {
	var b strings.Builder
	line := func(format string, args ...any) {
		b.WriteString(trace.Printable(fmt.Sprintf(format, args...), c.ASCII()) + "\n")
	}
	line("%s → %s: %d new, %d fixed, %d unchanged%s", d.From, d.To, len(d.New), len(d.Fixed), len(d.Unchanged), unknown(len(d.Unknown)))
	for _, part := range []struct {
		name    string
		entries []entry
	}{{"new", d.New}, {"fixed", d.Fixed}, {"unchanged", d.Unchanged}, {"unknown", d.Unknown}} {
		for _, e := range part.entries {
			line("%-10s %s", part.name, e)
		}
	}
	if !c.Quiet {
		for _, text := range d.Circumstances {
			line("%-10s %s", "beside", text)
		}
	}
	return b.String()
}

func unknown(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d unknown", n)
}
