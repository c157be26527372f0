package configtest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/field"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// Generating says of what values are made.
type Generating struct {
	// File is a configuration, of which the parameters are; nil for all that can be given.
	File *Version
	// Parameters are the only ones, by path or identity; none for all.
	Parameters []string
	// Most is how many values of each parameter are tried.
	Most int
}

// The defaults of a run with generated values: a test that hangs is no exception, and is not waited for as long.
const (
	DefaultMost            = 24
	DefaultGenerateTimeout = DefaultTimeout / 6
)

// Generation is what a run with generated values shows.
type Generation struct {
	// Parameters are those of which values are made: changes whose old value is the one that holds.
	Parameters []choose.Change
	// Tried is what became of their values; nil for one that had no turn.
	Tried []*judge.Generated
	// Left are parameters of which not all tests that read them were run.
	Left []choose.Left
	// Excluded says of tests why they say nothing.
	Excluded map[string]string
	// Tests is how many were run, and All how many the module has.
	Tests, All int
	// Unchecked are validations that no test that was run calls, by their places.
	Unchecked   []string
	Problems    []string
	Notes       []string
	Interrupted bool
	// set are tests that give parameters values themselves.
	set map[int][]string
	// secrets are those of the configuration, also what no parameter has.
	secrets []change.Value
}

// Generate tries valid and invalid values of parameters, each alone, with the tests that read them.
func Generate(ctx context.Context, o Options, g Generating) (*Generation, error) {
	s, err := begin(ctx, o)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return s.generate(ctx, g)
}

func (s *session) generate(ctx context.Context, g Generating) (*Generation, error) {
	m, err := s.mapped(ctx)
	if err != nil {
		return nil, err
	}
	decoded := map[parameter.ID]bool{}
	for _, root := range s.sources.Roots {
		decoded[root.ID] = root.Decoded
	}
	out := &Generation{Notes: m.Notes, set: map[int][]string{}}
	if g.File != nil {
		out.secrets = change.Credible(g.File.Settings)
	}
	if out.Parameters, err = chosenParameters(m, g, decoded); err != nil {
		return nil, err
	}
	out.Tried = make([]*judge.Generated, len(out.Parameters))
	var reading []choose.Test
	var packages []run.Package
	chosen := choose.Tests(m, out.Parameters)
	if !s.AllTests {
		chosen, out.Left = choose.Cover(m, out.Parameters, chosen, 0)
	}
	for _, t := range chosen {
		for _, i := range t.Sets {
			out.set[i] = append(out.set[i], testName(&judge.Judged{Test: t}))
		}
		if len(t.Reads) == 0 {
			continue
		}
		reading = append(reading, t)
		at := slices.IndexFunc(s.packages, func(p run.Package) bool { return p.Name == t.Package })
		if !slices.ContainsFunc(packages, func(p run.Package) bool { return p.Name == t.Package }) {
			packages = append(packages, s.packages[at])
		}
	}
	out.Tests = len(reading)
	for _, p := range m.Packages {
		out.All += len(p.Tests)
		if p.Problem != "" {
			out.Problems = append(out.Problems, p.Path+": "+p.Problem)
		}
	}
	if err := s.compile(ctx, packages); err != nil {
		return nil, err
	}
	var of *program
	if len(s.Start.Command) > 0 {
		var start choose.Test
		if of, start, err = s.programOf(ctx, g, out.Parameters); err != nil {
			return nil, err
		}
		reading = append(reading, start)
	}
	s.bound()
	err = s.try(ctx, g, out, reading, of)
	out.Interrupted = ctx.Err() != nil
	if out.Interrupted {
		err = nil
	}
	return out, err
}

// try runs the tests with all values, and the program if there is one.
func (s *session) try(ctx context.Context, g Generating, out *Generation, reading []choose.Test, of *program) error {
	called := &calls{seen: map[string]bool{}}
	trial := s.remembered(out.Parameters)
	if of != nil {
		trial = of.beside(trial)
	}
	trial = called.note(trial)
	s.say("running tests with the values that there are")
	bases, err := judge.Before(ctx, reading, out.Parameters, trial, s.Workers)
	if err != nil {
		return err
	}
	out.Excluded = bases.Excluded
	known := facts(s.sources.Facts)
	done := 0
	var mu sync.Mutex
	err = judge.Each(ctx, len(out.Parameters), s.Workers, func(i int) error {
		c := out.Parameters[i]
		if c.Class == nil || c.Unknown != "" {
			return nil
		}
		of, candidates := value.Candidates(known.about(c, bases.Reads(c), s.code.Constants(bases.Sites(c), namesOf(c)...)))
		tried, err := judge.Generate(ctx, i, reading, bases, out.Parameters, trial, fewer(candidates, g.Most), s.handsOn)
		if err != nil {
			return err
		}
		tried.Sort = of
		mu.Lock()
		defer mu.Unlock()
		out.Tried[i] = tried
		done++
		if s.Progress != nil {
			s.Progress(Progress{Doing: fmt.Sprintf("trying values: %d of %d parameters", done, len(out.Parameters))})
		}
		return nil
	})
	for _, place := range s.sources.Validations {
		if !called.seen[string(field.Validation(place))] {
			out.Unchecked = append(out.Unchecked, place)
		}
	}
	return err
}

// chosenParameters are those of a file, or all that can be given, as changes that change nothing. decoded are types
// that files are decoded into.
func chosenParameters(m *parameter.Map, g Generating, decoded map[parameter.ID]bool) ([]choose.Change, error) {
	var all []choose.Change
	if g.File != nil {
		var same []change.Change
		for _, s := range g.File.Settings {
			same = append(same, change.Change{Identity: s.Identity, Old: &s.Value, New: &s.Value, Location: s.Location})
		}
		all = choose.Link(m, same, g.File.Settings, g.File.Settings)
		for i := range all {
			all[i].Path = whole(all[i])
		}
	} else {
		all = given(m, decoded)
	}
	if len(g.Parameters) == 0 {
		return all, nil
	}
	var out []choose.Change
	for _, name := range g.Parameters {
		at := slices.IndexFunc(all, func(c choose.Change) bool {
			return c.Path == name || c.Class != nil && slices.ContainsFunc(c.Class.Identities(), func(id parameter.ID) bool { return string(id) == name || id.Name() == name })
		})
		if at < 0 {
			return nil, input("--parameter=%s: there is no such parameter: seatrial configtest map lists those of the module", name)
		}
		out = append(out, all[at])
	}
	return out, nil
}

// whole is the path of a parameter of which a setting may be an item.
func whole(c choose.Change) string {
	if c.Kind != change.Key || c.Class == nil {
		return c.Path
	}
	name := cmp.Or(c.Place, c.IDs[0].Name())
	if strings.HasPrefix(c.Path, name) {
		return name
	}
	return c.Path
}

// given are all parameters in each way in which they can be given.
func given(m *parameter.Map, decoded map[parameter.ID]bool) []choose.Change {
	var out []choose.Change
	for _, class := range m.Parameters {
		var taken []parameter.Kind
		for _, id := range class.Identities() {
			kind := id.Kind()
			// A library takes its keys and the variables that stand for them in one way.
			library := slices.Contains(taken, parameter.Viper) || slices.Contains(taken, parameter.Koanf)
			if kind == parameter.File || library || slices.Contains(taken, kind) {
				continue
			}
			taken = append(taken, kind)
			c := choose.Change{Class: &class, IDs: []parameter.ID{id}}
			c.Kind, c.Path = change.Key, id.Name()
			switch kind {
			case parameter.Flag:
				c.Kind = change.Flag
			case parameter.Env:
				c.Kind = change.Env
			case parameter.Field:
				c.Type, c.Place = m.Type(id)
				c.Path = strings.TrimPrefix(string(id), string(c.Type)+".")
				if c.Type == "" || !decoded[c.Type] && len(taken) > 1 {
					continue // it is told by flags
				}
			}
			out = append(out, c)
		}
	}
	return out
}

// fewer are at most so many candidates, half of them valid ones.
func fewer(all []value.Candidate, most int) []value.Candidate {
	var out, rest []value.Candidate
	for _, c := range all {
		if c.Kind == value.Valid && len(out) < (most+1)/2 {
			out = append(out, c)
		} else if c.Kind != value.Valid {
			rest = append(rest, c)
		}
	}
	return append(out, rest[:min(len(rest), most-len(out))]...)
}

// facts are what the text of the module says of parameters.
type facts map[parameter.ID]field.Fact

// about is what is known of a parameter, of which some values were read. What is said of the last part of a key stands
// for the whole where a part of the settings is asked.
func (f facts) about(c choose.Change, read, constants []string) value.About {
	out := value.About{Name: c.Path, Constants: constants}
	if c.Class == nil {
		return out
	}
	switch c.IDs[0].Kind() {
	case parameter.Viper, parameter.Koanf, parameter.Field:
		out.JSON = true
	}
	if hidden := secret(c); c.Old != nil && !hidden { // what is near a secret shows it
		out.Known, _, _ = strings.Cut(*c.Old, record.Again) // of a flag that is given several times, the first
	} else if c.Old == nil && len(read) == 1 && !strings.ContainsAny(read[0], "[]{}<>") { // and no collection
		if out.Known = read[0]; out.JSON && !json.Valid([]byte(read[0])) {
			out.Known = strconv.Quote(read[0])
		}
	}
	for _, id := range slices.Concat(c.IDs, c.Class.Identities()) {
		if id.Kind() == parameter.Viper {
			id = parameter.ID(strings.ToLower(string(id)))
		}
		last := parameter.New(id.Kind(), id.Name()[strings.LastIndexByte(id.Name(), '.')+1:])
		for _, name := range []parameter.ID{id, last} {
			if fact, is := f[name]; is && out.Type == "" {
				out.Type, out.Members, out.Words, out.Listed, out.Least, out.Most = fact.Type, fact.Members, fact.Words, fact.Listed, fact.Least, fact.Most
			}
		}
	}
	return out
}

// words are those that a type takes, as far as it is known, if the old value is one of them.
func (f facts) words(c choose.Change) []string {
	about := f.about(c, nil, nil)
	for _, words := range [][]string{about.Members, about.Words} {
		if slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, value.Bare(*c.Old)) }) {
			return words
		}
	}
	return nil
}

// calls notes which validations are called.
type calls struct {
	mu   sync.Mutex
	seen map[string]bool
}

func (c *calls) note(trial judge.Trial) judge.Trial {
	return func(ctx context.Context, t choose.Test, v choose.Values) (*run.Outcome, error) {
		o, err := trial(ctx, t, v)
		if err == nil {
			c.mu.Lock()
			for _, e := range o.Events {
				c.seen[string(e.Subject)] = true
			}
			c.mu.Unlock()
		}
		return o, err
	}
}

// tried is what became of a test with some values, while the system answered what it asked for as it did.
type tried struct {
	Outcome *run.Outcome
	State   string
}

// remembered runs a test with some values, unless that was done in a run before. What is run again in one run is not
// taken for known. Where there are secrets nothing is kept.
func (s *session) remembered(parameters []choose.Change) judge.Trial {
	trial := s.trial(parameters)
	keys := map[string]string{}
	for _, p := range s.packages {
		keys[p.Name] = p.Key
	}
	secrets := slices.ContainsFunc(parameters, secret)
	again := map[string]bool{}
	var mu sync.Mutex
	return func(ctx context.Context, t choose.Test, v choose.Values) (*run.Outcome, error) {
		inject, environment, unset := choose.Inject(parameters, v)
		name := "value-" + digest([]string{digest(s.keys), keys[t.Package], s.tools, t.Name, fmt.Sprint(inject, environment, unset, s.Timeout, s.Race, s.Tags)})
		mu.Lock()
		keep := !secrets && !again[name]
		again[name] = true
		mu.Unlock()
		var known tried
		if keep && !s.Fresh && cache(s.Cache).read(name, &known) && known.Outcome != nil && known.State == s.module.State(s.module.Asked(known.Outcome)) {
			return known.Outcome, nil
		}
		o, err := trial(ctx, t, v)
		if keep && err == nil && o.Ending != run.Stopped {
			cache(s.Cache).write(name, tried{o, s.module.State(s.module.Asked(o))})
		}
		return o, err
	}
}
