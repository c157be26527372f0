package settle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/settle/kubestate"
	"github.com/seatrial/seatrial/statespace"
)

// ends are what the cluster comes to rest at without faults: what it has to come to with them,
// where nobody says what that is.
type ends struct {
	all []end
	// known are the texts of all ends.
	known map[string]bool
}

// end is what there is when nothing happens any more, as text by the keys of objects, without what each
// run counts otherwise.
type end map[string]string

func (e end) text() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(e)) {
		fmt.Fprintf(&b, "%s %s\n", name, e[name])
	}
	return b.String()
}

// loadEnds finds the ends of a configuration without a Match. There is a result if it was told to end
// before it had them.
func (c *Config) loadEnds(ctx context.Context) (*Result, error) {
	if c.Match != nil || c.MatchCEL != "" || c.ends != nil {
		return nil, nil
	}
	if c.draws {
		return nil, final{errors.New("settle: there is no Match, so what the cluster comes to without faults is what it has to come to; but reconcilers draw names or numbers, with which it is another each time: give a Match; with one it is named, too, if it is the order of a map that they go by")}
	}
	plain := *c
	plain.Faults = Faults{Budget: Budget{Users: c.Faults.Budget.Users}}
	plain.ends = &ends{}
	x, err := newExplorer(&plain)
	if err != nil {
		return nil, err
	}
	defer x.close()
	found, states, err := x.findEnds(ctx)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		plain.ends, plain.Faults = nil, c.Faults
		return x.withoutEnds(context.Cause(ctx), states), nil
	}
	c.ends = found
	return nil, nil
}

// withoutEnds is the result of a search that was told to end before it was known what is right.
func (x *explorer) withoutEnds(cause error, states int) *Result {
	reason := fmt.Sprintf("cancelled: %v, while what the cluster comes to without faults was looked for, which is right where there is no Match; there are %d states without faults so far, and nothing is known of any with faults: give a Match, or more time, or bound what is desired", cause, states)
	r := &Result{bound: x.bound(), assumptions: x.assumptions(), incomplete: "cancelled: " + cause.Error(), States: states}
	r.PropertyResult = PropertyResult{Rule: ruleSettles, Name: Settles, Verdict: statespace.Inconclusive, Reason: reason, Loop: -1}
	r.Properties = []PropertyResult{r.PropertyResult}
	return r
}

// findEnds goes through all states without faults, for those from which nothing changes any more
// what there is, and tells how many there are.
func (x *explorer) findEnds(ctx context.Context) (*ends, int, error) {
	x.atOnce = true
	at := map[statespace.ID]int{}
	var nodes []*node
	var before [][]int // by fair steps
	enter := func(v []statespace.ID) int {
		i, found := at[v[0]]
		if !found {
			i = len(nodes)
			at[v[0]], nodes, before = i, append(nodes, x.node(v)), append(before, nil)
		}
		return i
	}
	x.Init(func(v []statespace.ID) bool { enter(v); return true })
	var restless []int
	for from := 0; from < len(nodes) && x.failed() == nil && ctx.Err() == nil; from++ {
		if len(nodes) > x.config.most() {
			return nil, 0, fmt.Errorf("settle: there is no Match, so what the cluster comes to without faults is what it has to come to, and without faults there are more than %d states: give a Match, or bound what is desired", x.config.most())
		}
		x.steps(nodes[from], func(s step, to *node) {
			if s.fault == "Environment" {
				return
			}
			if i := enter(x.vector(to)); s.class != "" {
				before[i] = append(before[i], from)
				if worldKey(nodes[i].world) != worldKey(nodes[from].world) {
					restless = append(restless, from)
				}
			}
		})
	}
	if err := x.failed(); err != nil || ctx.Err() != nil {
		return nil, len(nodes), err
	}
	moves := make([]bool, len(nodes))
	for ; len(restless) > 0; restless = restless[1:] {
		if i := restless[0]; !moves[i] {
			moves[i] = true
			restless = append(restless, before[i]...)
		}
	}
	r := &ends{known: map[string]bool{}}
	for i, n := range nodes {
		if e := x.end(n.world); !moves[i] && n.breach == 0 && !r.known[e.text()] {
			r.known[e.text()] = true
			r.all = append(r.all, e)
		}
	}
	return r, len(nodes), nil
}

// numbering gives each thing the number of its first appearance.
type numbering[T comparable] map[T]int

func (c numbering[T]) of(thing T) string {
	if c[thing] == 0 {
		c[thing] = len(c) + 1
	}
	return strconv.Itoa(c[thing])
}

// callings are what is counted, and what was drawn.
type callings struct {
	server *kubestate.Server
	tokens numbering[uint64]
	names  numbering[uint64]
}

// text is a text in which UIDs, versions, generations and generated names are called so.
func (c callings) text(text []byte) string {
	var b strings.Builder
	from := 0
	for _, t := range c.server.Tokens(text) {
		b.Write(text[from:t.At])
		if kubestate.IsName(t.Number) {
			b.WriteString("(" + c.names.of(t.Number) + ")")
		} else {
			b.WriteString(c.tokens.of(t.Number))
		}
		from = t.End()
	}
	b.Write(text[from:])
	return b.String()
}

// end is what there is, with names that follow from it alone.
func (x *explorer) end(s kubestate.State) end {
	called, e := callings{x.server, numbering[uint64]{}, numbering[uint64]{}}, end{}
	for _, o := range s.List() {
		key := called.text([]byte(o.Key()))
		var all map[string]any
		if json.Unmarshal([]byte(called.text(o.JSON())), &all) != nil {
			continue // kubestate makes none
		}
		if meta, ok := all["metadata"].(map[string]any); ok {
			delete(meta, "managedFields")
		}
		text, _ := json.Marshal(all) // of JSON
		e[key] = string(text)
	}
	return e
}

// otherEnd is why what there is is none of the ends.
func (x *explorer) otherEnd(r *ends, s kubestate.State) error {
	is := x.end(s)
	if r.known[is.text()] {
		return nil
	}
	for d := range x.wanted() {
		if is[d.key] != "" && !slices.ContainsFunc(r.all, func(to end) bool { return to[d.key] != "" }) {
			return errors.New("without faults it never comes to rest, either")
		}
	}
	return noEnd{x, r, s}
}

// noEnd is that something is none of the ends. What is otherwise is found when it is asked for, since most
// states on the way are none.
type noEnd struct {
	x    *explorer
	ends *ends
	is   kubestate.State
}

// Error says what is otherwise than in the end that it is nearest to: with as much of what is desired.
func (e noEnd) Error() string {
	is := e.x.end(e.is)
	var nearest []string
	least := 0
	for i, to := range e.ends.all {
		all := differing(is, to)
		far := len(all)
		for d := range e.x.wanted() {
			if is[d.key] != "" && to[d.key] == "" || slices.ContainsFunc(all, func(one string) bool { return strings.HasPrefix(one, short(d.key)+": spec") }) {
				far += len(is) + len(to)
			}
		}
		if i == 0 || far < least {
			nearest, least = all, far
		}
	}
	more := ""
	if n := len(nearest); n > 1 {
		more = fmt.Sprintf(", and %d more", n-1)
	}
	return "it does not end so without faults: " + nearest[0] + more
}

// differing says what is otherwise than in another end, object by object.
func differing(is, to end) (all []string) {
	keys := maps.Clone(is)
	maps.Copy(keys, to)
	var later []string // what is counted says little to a reader
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		has, there := is[key]
		want, wanted := to[key]
		switch name := short(key); {
		case !there:
			all = append(all, name+" is not there")
		case !wanted:
			all = append(all, name+" is there")
		case has != want:
			var a, b history.Object
			_, _ = json.Unmarshal([]byte(has), &a), json.Unmarshal([]byte(want), &b) // written above
			for _, c := range history.Diff(b, a) {
				text := fmt.Sprintf("%s: %s is %s, and not %s", name, c.Path, orNothing(c.To), orNothing(c.From))
				if strings.HasPrefix(c.Path, "metadata.") && slices.Contains(counted, strings.TrimPrefix(c.Path, "metadata.")) {
					later = append(later, text)
					continue
				}
				all = append(all, text)
			}
		}
	}
	return append(all, later...)
}

func orNothing(v any) string {
	if text := valueText(v); text != "" {
		return text
	}
	return "nothing"
}
