// Package baseline holds the findings that are known already, so that a check can
// be adopted before all of them are mended.
package baseline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/seatrial/seatrial/finding"
)

// Schema identifies the JSON form of Baseline.
const Schema = "seatrial.dev/baseline/v1alpha1"

// bytesMax bounds the file that is read.
const bytesMax = 32 << 20

// Baseline is a set of findings.
type Baseline struct {
	Schema string `json:"schema"`
	// Version is of the seatrial that wrote it.
	Version  string    `json:"version"`
	Findings []Finding `json:"findings"`
}

// Finding is one of them. It is known by its fingerprint; the rest is for people.
type Finding struct {
	Fingerprint string `json:"fingerprint"`
	Rule        string `json:"rule,omitempty"`
	Name        string `json:"name"`
	Subject     string `json:"subject"`
}

// Read reads the file that Encode made. Its errors are one line.
func Read(file string) (*Baseline, error) {
	wrong := func(err error) (*Baseline, error) { return nil, fmt.Errorf("the baseline %s: %w", file, err) }
	f, err := os.Open(file)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return wrong(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, bytesMax+1))
	if err == nil && len(data) > bytesMax {
		err = fmt.Errorf("it has more than %d MiB: it is no baseline", bytesMax>>20)
	}
	if err != nil {
		return wrong(err)
	}
	b, err := decode(data)
	if err != nil {
		return wrong(err)
	}
	return b, nil
}

func decode(data []byte) (*Baseline, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	var b Baseline
	if err := d.Decode(&b); err != nil {
		return nil, fmt.Errorf("this is no baseline: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the baseline")
	}
	if b.Schema != Schema {
		return nil, fmt.Errorf("the schema is %q, want %q; write it anew with --write-baseline", b.Schema, Schema)
	}
	for i, f := range b.Findings {
		if f.Fingerprint == "" {
			return nil, fmt.Errorf("findings[%d] has no fingerprint", i)
		}
	}
	return &b, nil
}

// Of is the baseline of a report: all that is violated, but for what is ignored
// otherwise.
func Of(r *finding.Report) *Baseline {
	b := &Baseline{Schema: Schema, Version: r.Version, Findings: []Finding{}}
	prints := finding.Fingerprints(r.Results)
	for i, one := range r.Results {
		if one.Verdict == finding.Violated && (one.Ignored == nil || one.Ignored.By == finding.ByBaseline) {
			b.Findings = append(b.Findings, Finding{prints[i], one.Rule, one.Name, one.Subject})
		}
	}
	return b
}

// Encode is the file, with a line for each field so that changes of it can be
// read.
func (b *Baseline) Encode() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(b); err != nil {
		return nil, fmt.Errorf("encode baseline: %w", err)
	}
	return out.Bytes(), nil
}

// Apply marks the violations of r that are known, and counts the findings that
// hold now. The report has to be settled afterwards.
func (b *Baseline) Apply(r *finding.Report) (mended int) {
	known := map[string]bool{}
	for _, f := range b.Findings {
		known[f.Fingerprint] = true
	}
	prints := finding.Fingerprints(r.Results)
	for i := range r.Results {
		one := &r.Results[i]
		switch {
		case !known[prints[i]]:
		case one.Verdict == finding.Violated && one.Ignored == nil:
			one.Ignored = &finding.Ignored{By: finding.ByBaseline}
		case one.Verdict == finding.Holds:
			mended++
		}
	}
	return mended
}
