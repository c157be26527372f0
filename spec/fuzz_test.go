package spec

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/spec/syntax"
)

// fuzzed is a module with something of most constructs.
const fuzzed = "---- MODULE M ----\nEXTENDS Naturals, Sequences, FiniteSets\nVARIABLES x, q\nCONSTANT C\nF(a(_), b) == a(b) + 1\nRECURSIVE R(_)\nR(n) == IF n = 0 THEN 0 ELSE R(n - 1)\n" +
	"g[i \\in 0..2] == IF i = 0 THEN C ELSE g[i - 1]\nInit == x = 0 /\\ q \\in {<<>>, <<1>>}\nNext == \\/ x < 2 /\\ x' = F(LAMBDA y : y + R(y), x) /\\ UNCHANGED q\n        \\/ \\E e \\in {1, g[1]} : Len(q) < 2 /\\ q' = Append(q, e) /\\ x' = x\n" +
	"Spec == Init /\\ [][Next]_<<x, q>> /\\ WF_x(Next)\nInv == LET l == Len(q) IN l \\in 0..2 /\\ [a |-> x].a < 9 /\\ {z \\in {1} : z > x} \\subseteq SUBSET {} \\cup {1}\nLive == <>(x = 2) /\\ (x = 1 ~> ENABLED Next)\n====\n"

// FuzzCheck has any text for a module and its configuration: it is refused at a place, or checked, and nothing panics.
func FuzzCheck(f *testing.F) {
	f.Add(fuzzed, "SPECIFICATION Spec INVARIANT Inv PROPERTY Live CONSTANT C = 2 CHECK_DEADLOCK FALSE")
	f.Add("---- MODULE M ----\nEXTENDS TLC\n(* --fair algorithm A { variables x = 0; procedure P(a = 1) { L: x := x + a; return; } { M: while (x < 2) { either call P(1); or with (y \\in {1}) { x := y; } } } } *)\n====\n", "SPECIFICATION Spec PROPERTY Termination")
	for _, name := range []string{"operator/OperatorAlgorithm", "rollout/Rollout"} {
		path := filepath.Join("..", "examples", "spec", filepath.FromSlash(name))
		text, err := os.ReadFile(path + ".tla")
		cfg, err2 := os.ReadFile(path + ".cfg")
		if err := errors.Join(err, err2); err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), string(cfg))
	}
	f.Fuzz(func(t *testing.T, text, cfg string) { survives(t, text, cfg) })
}

// word is a part of a text that an edit takes as a whole.
var word = regexp.MustCompile(`\s+|\w+|"[^"]*"|[^\s\w]`)

// FuzzEdits changes words of a module that is right: most of what comes out can be read, and means something else.
func FuzzEdits(f *testing.F) {
	text := word.FindAllString(fuzzed, -1)
	f.Add([]byte{0, 0, 40, 0, 90, 1, 0, 80, 0, 20})
	f.Fuzz(func(t *testing.T, edits []byte) {
		words := slices.Clone(text)
		for ; len(edits) >= 5 && len(words) > 2; edits = edits[5:] {
			at, other := int(binary.BigEndian.Uint16(edits[1:]))%len(words), int(binary.BigEndian.Uint16(edits[3:]))%len(text)
			switch edits[0] % 4 {
			case 0:
				words[at] = text[other]
			case 1:
				words = slices.Delete(words, at, at+1)
			case 2:
				words = slices.Insert(words, at, text[other], " ")
			case 3:
				until := min(other+int(edits[0]/4)%12, len(text))
				words = slices.Insert(words, at, text[other:until]...)
			}
		}
		survives(t, strings.Join(words, ""), "SPECIFICATION Spec INVARIANT Inv PROPERTY Live CONSTANT C = 2 CHECK_DEADLOCK FALSE")
	})
}

// survives checks a text, whatever it is.
func survives(t *testing.T, text, cfg string) {
	s, err := compile(&syntax.Source{Name: "M.tla", Text: text}, &syntax.Source{Name: "M.cfg", Text: cfg}, nil, nil, &files{})
	if err != nil {
		var at *syntax.Error
		if !errors.As(err, &at) || at.At.Source == nil {
			t.Fatalf("an error without a place: %v", err)
		}
		at.Excerpt()
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if _, err := s.Check(ctx, Options{Workers: 1, MaxStates: 50}); err != nil {
		var at *syntax.Error
		if !errors.As(err, &at) && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%v", err)
		}
	}
}
