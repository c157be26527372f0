package custom

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/process"
	"github.com/seatrial/seatrial/history"
)

// Schema names the form of what a program reads, docs/campaign.md.
const Schema = "seatrial.dev/oracle/v1alpha1"

// answerMax bounds what a program may answer, in bytes.
const answerMax = 4 << 20

// Question is what a program reads on its standard input: what was seen of one step.
type Question struct {
	Schema string `json:"schema"`
	// Oracle is its name.
	Oracle string `json:"oracle"`
	// Step counts the operations since the seed, which is 0.
	Step int `json:"step"`
	// Behind is what was done behind the operation: empty, restart (of the operator), or
	// deletion (of the custom resource).
	Behind string `json:"behind"`
	// Operation is null for the seed.
	Operation *Operation `json:"operation"`
	// CR is the custom resource as it was applied, and Previous as it was before; null for
	// the seed.
	CR       history.Object `json:"cr"`
	Previous history.Object `json:"previous"`
	// Objects are the lists of all objects by their resource: pods, statefulsets.apps.
	Objects map[string][]history.Object `json:"objects"`
	// Events are the writes of the step.
	Events []Event `json:"events"`
	// Quiet tells whether things came to rest.
	Quiet bool `json:"quiet"`
	// Output is what the operator printed during the step.
	Output string `json:"output"`
	// History is what was applied before, the seed first.
	History []Applied `json:"history"`
}

// Applied is one step of the past.
type Applied struct {
	Operation *Operation     `json:"operation"`
	CR        history.Object `json:"cr"`
	// Refused is why the API server did not take it; empty if it did.
	Refused string `json:"refused,omitempty"`
}

// Answer is what a program writes to its standard output.
type Answer struct {
	// Verdict is holds, violated or inconclusive.
	Verdict string `json:"verdict"`
	// Message says why it is inconclusive, or what is violated if Findings are empty.
	Message string `json:"message"`
	// Findings are what is wrong.
	Findings []Finding `json:"findings"`
}

// Finding is one thing that is wrong.
type Finding struct {
	Message string `json:"message"`
	// Object is what it is about, RESOURCE NAMESPACE/NAME, and Path a field of it; both may be
	// empty.
	Object string `json:"object"`
	Path   string `json:"path"`
	// Expected and Found are shown beside each other.
	Expected any `json:"expected"`
	Found    any `json:"found"`
}

// program is an oracle that is a program.
type program struct {
	o *input.Oracle
	// folder is where it runs, and done is closed when the campaign is over.
	folder string
	done   <-chan struct{}
}

func (p *program) Name() string { return p.o.Name }

// Judge asks the program.
func (p *program) Judge(c *oracle.Case) ([]oracle.Deviation, error) {
	s, behind := judged(c, p.o)
	if s == nil {
		return nil, nil
	}
	text, err := json.Marshal(p.question(c, s, behind))
	if err != nil {
		return nil, err
	}
	out, err := p.run(text)
	if err != nil {
		return nil, err
	}
	decode := json.NewDecoder(bytes.NewReader(out))
	decode.DisallowUnknownFields()
	var a Answer
	if err := decode.Decode(&a); err != nil {
		return nil, fmt.Errorf("its answer is not as docs/campaign.md says: %w", err)
	}
	if _, err := decode.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is something behind its answer")
	}
	return a.deviations(c)
}

func (p *program) question(c *oracle.Case, s *oracle.Step, behind oracle.Behind) Question {
	last := c.Last()
	q := Question{
		Schema: Schema, Oracle: p.o.Name, Step: len(c.Steps) - 1, Behind: string(behind), Operation: operationOf(c), CR: last.Resource, Previous: last.Before,
		Objects: map[string][]history.Object{}, Events: eventsOf(s), Quiet: s.Rest.Quiet, Output: s.Output, History: []Applied{},
	}
	for _, key := range s.End.Keys() {
		q.Objects[key.Resource] = append(q.Objects[key.Resource], s.End[key])
	}
	for i, before := range c.Steps[:len(c.Steps)-1] {
		q.History = append(q.History, Applied{operationOf(&oracle.Case{Steps: c.Steps[:i+1]}), before.Resource, before.Refused})
	}
	return q
}

// run has the program answer within its time, and ends it and all that it has started then.
func (p *program) run(question []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), p.o.Limit(), fmt.Errorf("it has not answered within %s", p.o.Limit()))
	defer cancel()
	ctx, interrupt := context.WithCancelCause(ctx)
	defer interrupt(nil)
	go func() {
		select {
		case <-p.done:
			interrupt(errors.New("interrupted"))
		case <-ctx.Done():
		}
	}()
	cmd := exec.CommandContext(ctx, p.o.Command[0], p.o.Command[1:]...)
	var out, said bounded
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = p.folder, bytes.NewReader(question), &out, &said, time.Second
	process.Apart(cmd)
	err := cmd.Run()
	process.EndGroup(cmd)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, errors.New(strings.TrimSpace(err.Error() + ": " + lastLine(said.String())))
	case out.over:
		return nil, fmt.Errorf("its answer has more than %d MiB", answerMax>>20)
	}
	return out.Bytes(), nil
}

// lastLine is the last line of a text that says anything.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// bounded keeps the beginning of what is written.
type bounded struct {
	bytes.Buffer
	over bool
}

// Write takes what is too much, and forgets it.
func (b *bounded) Write(text []byte) (int, error) {
	n := len(text)
	if room := answerMax - b.Len(); n > room {
		b.over, text = true, text[:room]
	}
	_, _ = b.Buffer.Write(text)
	return n, nil
}

// deviations are what an answer says is wrong.
func (a *Answer) deviations(c *oracle.Case) ([]oracle.Deviation, error) {
	switch a.Verdict {
	case "holds":
		return nil, nil
	case "inconclusive":
		return nil, errors.New(a.Message)
	case "violated":
	default:
		return nil, fmt.Errorf("its verdict is %q, not holds, violated or inconclusive", a.Verdict)
	}
	if len(a.Findings) == 0 {
		a.Findings = []Finding{{Message: a.Message}}
	}
	var all []oracle.Deviation
	for _, f := range a.Findings {
		if f.Message == "" {
			return nil, errors.New("a finding of it has no message")
		}
		d := oracle.Deviation{Object: c.Key, Path: f.Path, Expected: f.Expected, Found: f.Found, Text: f.Message}
		if f.Object != "" {
			r, err := experiment.ParseReference(f.Object)
			if err != nil {
				return nil, err
			}
			d.Object = history.Key(r)
		}
		all = append(all, d)
	}
	return all, nil
}
