package program

import (
	"fmt"
	"slices"
	"testing"

	"github.com/seatrial/seatrial/spec/config"
	"github.com/seatrial/seatrial/spec/syntax"
	"github.com/seatrial/seatrial/statespace"
)

func compileText(t *testing.T, text, configuration string) *Program {
	t.Helper()
	root, err := syntax.ParseModule(&syntax.Source{Name: "M.tla", Text: "---- MODULE M ----\nEXTENDS Naturals, FiniteSets, Sequences, TLC\n" + text + "\n====\n"})
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Parse(&syntax.Source{Name: "M.cfg", Text: "INIT Init\nNEXT Next\n" + configuration})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(root, func(string) (*syntax.Module, error) { return nil, nil }, cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// stepsFrom says what the steps from a state are, up to what has no value.
func stepsFrom(p *Program, state []statespace.ID) (said string, next [][]statespace.ID, failed bool) {
	defer func() {
		if r := recover(); r != nil {
			said, failed = said+fmt.Sprintf("%v", r), true
		}
	}()
	p.Next(state, func(a statespace.Action, to []statespace.ID) bool {
		said += fmt.Sprintf("%d%v ", a.Label, to)
		next = append(next, slices.Clone(to))
		return true
	})
	return said, next, false
}

// TestSteps: in each state an action has the steps that it has where nothing is known of other states.
func TestSteps(t *testing.T) {
	const begins = `VARIABLES msgs, x, f
Kinds == {"ask", "answer"}
M(k, n) == [type |-> k, n |-> n]
Asks == \A k \in Kinds, n \in 5..7 : M(k, n) \notin msgs
Begin == msgs = {} /\ x = 0 /\ f = [i \in 1..2 |-> 0]
Send(m) == msgs' = msgs \cup {m}
Fill == \E k \in Kinds, n \in 0..2 : Send(M(k, n)) /\ UNCHANGED <<x, f>>
Turn == x' = (x + 1) % 3 /\ UNCHANGED <<msgs, f>>
`
	for name, c := range map[string]struct {
		next, config string
		// hits tells whether steps are taken that were found in another state; fails whether some have no value.
		hits, fails bool
	}{
		"conditions":               {next: `\E m \in msgs : m.type = "ask" /\ m.n = x /\ x' = 2 - x /\ Send(M("answer", x)) /\ UNCHANGED f`, hits: true},
		"conditions of a filter":   {next: `LET s == {m \in msgs : m.type = "ask"} IN Cardinality(s) > 1 /\ (\E m \in s : f' = [f EXCEPT ![1] = m.n]) /\ UNCHANGED <<msgs, x>>`, hits: true},
		"all that satisfy":         {next: `(\A m \in msgs : m.type = "ask" => m.n < 2) /\ x' = 1 /\ UNCHANGED <<msgs, f>>`, hits: true},
		"few members":              {next: `M("ask", 1) \in msgs /\ x' = 2 /\ UNCHANGED <<msgs, f>>`},
		"a member":                 {next: `Asks /\ M("ask", 1) \in msgs /\ M("answer", 2) \notin msgs /\ x' = 2 /\ UNCHANGED <<msgs, f>>`, hits: true},
		"in several ways":          {next: `(\E m \in msgs : m.type = "ask") /\ (x = 0 \/ M("ask", 0) \in msgs) /\ x' = 1 /\ UNCHANGED <<msgs, f>>`, hits: true},
		"the whole set":            {next: `\E m \in msgs : (m.type = "ask" \/ Cardinality(msgs) > 3) /\ x' = m.n /\ UNCHANGED <<msgs, f>>`},
		"the whole set beside":     {next: `\E m \in msgs : m.type = "ask" /\ Cardinality(msgs) < 4 /\ x' = m.n /\ UNCHANGED <<msgs, f>>`},
		"two names":                {next: `\E m, o \in msgs : m.type = "ask" /\ o.type = "answer" /\ x' = (m.n + o.n) % 3 /\ UNCHANGED <<msgs, f>>`},
		"what is added, looked at": {next: `Asks /\ Send(M("ask", x)) /\ Cardinality(msgs') < 3 /\ x' = x /\ UNCHANGED f`},
		"added and unchanged":      {next: `Asks /\ Send(M("ask", 1)) /\ UNCHANGED <<msgs, x, f>>`},
		"unchanged and added":      {next: `Asks /\ UNCHANGED msgs /\ Send(M("ask", 1)) /\ UNCHANGED <<x, f>>`},
		"added twice":              {next: `Asks /\ Send(M("ask", 1)) /\ Send(M("ask", 2)) /\ UNCHANGED <<x, f>>`},
		"added in two ways":        {next: `Asks /\ (Send(M("ask", 1)) \/ Send(M("ask", 2)) \/ UNCHANGED msgs) /\ x' \in {0, 2} /\ UNCHANGED f`, hits: true},
		"ENABLED":                  {next: `ENABLED (\E m \in msgs : m.type = "ask" /\ m.n = 1 /\ x' = m.n) /\ x' = 2 /\ UNCHANGED <<msgs, f>>`},
		"composed":                 {next: `(Send(M("ask", 1)) /\ UNCHANGED <<x, f>>) \cdot (M("answer", 1) \in msgs /\ x' = 2 /\ UNCHANGED <<msgs, f>>)`},
		"another name's condition": {next: `\E n \in 0..x, m \in msgs : n # 1 /\ m.type = "ask" /\ m.n = n /\ x' = n /\ UNCHANGED <<msgs, f>>`, hits: true},
		"a definition's condition": {next: `LET Old(m) == m.n = 0 IN \E m \in msgs : Old(m) /\ x' = 2 /\ UNCHANGED <<msgs, f>>`, hits: true},
		"an operator":              {next: `LET Got(k) == {m.n : m \in {m \in msgs : m.type = k}} IN Got("ask") = {0, 1} /\ x' = 2 /\ UNCHANGED <<msgs, f>>`, hits: true},
		"no value for a member":    {next: `\E m \in msgs : m.of = 1 /\ x' = 1 /\ UNCHANGED <<msgs, f>>`, fails: true},
		"no value unless asked":    {next: `x = 2 /\ \E m \in msgs : (m.n # 0 => m.of = 1) /\ x' = 1 /\ UNCHANGED <<msgs, f>>`, fails: true},
		"no value for the rest":    {next: `\E m \in msgs : m.type = "ask" /\ f' = [f EXCEPT ![1] = f[m.n + 1]] /\ UNCHANGED <<msgs, x>>`, fails: true},
		"another kind of member":   {next: `IF x = 2 /\ f[1] = 0 THEN msgs' \in {{1}, {"a"}} /\ f' = [f EXCEPT ![1] = 1] /\ x' = x ELSE 1 \in msgs /\ x' = 0 /\ UNCHANGED <<msgs, f>>`, fails: true},
		"another kind is added":    {next: `Asks /\ M("ask", 0) \in msgs /\ Send("a") /\ x' = 1 /\ f' = f`, fails: true},
		"a constraint fails":       {next: `Asks /\ M("ask", 0) \in msgs /\ Send(M("answer", 1)) /\ x' = 1 /\ f' = f`, config: "CONSTRAINT Few", fails: true},
		"left without a value":     {next: `\E m \in msgs : m.type = "ask" /\ x' = 1 /\ UNCHANGED msgs`, fails: true},
		"printed":                  {next: `PrintT(x) /\ x' = 1 /\ UNCHANGED <<msgs, f>>`},
	} {
		t.Run(name, func(t *testing.T) {
			p := compileText(t, begins+"Few == Cardinality(msgs) < 5 \\/ x.a = 1\nInit == Begin\nNext == Fill \\/ Turn \\/ ("+c.next+")", "CHECK_DEADLOCK FALSE\n"+c.config)
			printed := 0
			p.OnPrint(func(string) { printed++ })
			var states [][]statespace.ID
			seen := map[string]bool{}
			enter := func(state []statespace.ID) bool {
				if key := fmt.Sprint(state); !seen[key] {
					seen[key] = true
					states = append(states, slices.Clone(state))
				}
				return true
			}
			p.Init(enter)
			fails, used := false, 0
			for i := 0; i < len(states) && i < 400; i++ {
				before := learnt(p)
				said, next, failed := stepsFrom(p, states[i])
				used += learnt(p) - before
				kept := p.frames.free
				p.frames.free = nil
				anew, _, _ := stepsFrom(p, states[i])
				p.frames.free = kept
				if said != anew {
					t.Fatalf("from %v the steps are %s; where nothing is known of others %s", p.Values(states[i]), said, anew)
				}
				fails = fails || failed
				for _, state := range next {
					enter(state)
				}
			}
			if len(states) < 60 || fails != c.fails || (used > 100) != c.hits {
				t.Errorf("%d states, %v that some have no value, %d steps were found in other states", len(states), fails, used)
			}
			if (printed > 0) != (name == "printed") {
				t.Errorf("%d lines were printed", printed)
			}
		})
	}
}

// learnt counts how often the steps of the last action were found in another state.
func learnt(p *Program) (n int) {
	for _, f := range p.frames.free {
		if last := len(p.Actions) - 1; f.learned != nil {
			n += f.learned[last].hits
		}
	}
	return n
}
