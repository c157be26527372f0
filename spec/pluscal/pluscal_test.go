package pluscal

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/spec/syntax"
)

var updating = flag.Bool("update", false, "write what is printed into the transcripts")

func module(t *testing.T, name, text string) *syntax.Module {
	t.Helper()
	m, err := syntax.ParseModule(&syntax.Source{Name: name, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func printed(units []syntax.Unit) string {
	var b strings.Builder
	for _, u := range units {
		b.WriteString(syntax.PrintUnit(u) + "\n\n")
	}
	return b.String()
}

// algorithms calls f with each algorithm of the transcripts.
func algorithms(t *testing.T, f func(t *testing.T, path, text string)) {
	paths, err := filepath.Glob("testdata/*.tla")
	if err != nil || len(paths) == 0 {
		t.Fatal("there are no algorithms", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".tla"), func(t *testing.T) { f(t, filepath.Base(path), string(text)) })
	}
}

// TestTranslations compares translations with transcripts.
func TestTranslations(t *testing.T) {
	algorithms(t, func(t *testing.T, path, text string) {
		units, err := Units(module(t, path, text))
		if err != nil {
			t.Fatal(err)
		}
		golden := "testdata/" + strings.TrimSuffix(path, ".tla") + ".txt"
		got := printed(units)
		if *updating {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("got:\n%s\nwant:\n%s\n(-update writes it)", got, want)
		}
	})
}

// TestReadAgain holds every translation to its text, which a module may have between the
// usual marks: it is not stale, until the algorithm changes.
func TestReadAgain(t *testing.T) {
	algorithms(t, func(t *testing.T, path, text string) {
		units, err := Units(module(t, path, text))
		if err != nil {
			t.Fatal(err)
		}
		marked := strings.Replace(text, "\n====", "\n\\* BEGIN TRANSLATION\n"+printed(units)+"\\* END TRANSLATION\n====", 1)
		m := module(t, path, marked)
		if stale, err := Stale(m); err != nil || len(stale) > 0 {
			t.Errorf("stale: %v, %v", stale, err)
		}
		before := len(m.Units)
		if err := Translate(m); err != nil || len(m.Units) != before {
			t.Errorf("a module with a translation has %d units and then %d, %v", before, len(m.Units), err)
		}
	})
}

func TestStale(t *testing.T) {
	text := `---- MODULE m ----
(* --algorithm m { variables x = 0, y = 0; { a: x := VALUE; b: y := x; assert y = 1 } } *)
\* BEGIN TRANSLATION
VARIABLES x, y, pc
vars == << x, y, pc >>
Init == /\ x = 0
        /\ y = 0
        /\ pc = "a"
a == /\ pc = "a"
     /\ x' = 1
     /\ pc' = "b"
     /\ UNCHANGED y
b == /\ pc = "b"
     /\ y' = x
     /\ Assert(y' = 1, "Failure of assertion at line 70, column 3.")
     /\ pc' = "Done"
     /\ UNCHANGED << x >>
Next == a \/ b \/ (pc = "Done" /\ UNCHANGED vars)
Spec == Init /\ [][Next]_vars
Termination == <>(pc = "Done")
\* END TRANSLATION
====`
	for value, want := range map[string][]string{"1": nil, "2": {"a"}} {
		got, err := Stale(module(t, "m.tla", strings.Replace(text, "VALUE", value, 1)))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("for x := %s what is stale is %v, %v; want %v", value, got, err, want)
		}
	}
}

// TestPlace finds the units of a translation where they belong, and everything in them
// in the lines of the algorithm.
func TestPlace(t *testing.T) {
	algorithms(t, func(t *testing.T, path, text string) {
		text = strings.Replace(text, "\n====", "\nAfter == 1\n====", 1)
		m := module(t, path, text)
		before := len(m.Units)
		if err := Translate(m); err != nil {
			t.Fatal(err)
		}
		if last, ok := m.Units[len(m.Units)-1].(*syntax.Definition); !ok || last.Name != "After" {
			t.Errorf("the translation stands behind what follows the algorithm")
		}
		first := m.Algorithm.At.Line
		last := first + strings.Count(text[m.Algorithm.Offset:m.Algorithm.Until], "\n")
		for _, u := range m.Units[before-1 : len(m.Units)-1] {
			d, ok := u.(*syntax.Definition)
			if !ok {
				continue
			}
			rewriter{func(e syntax.Expr, _ *names) syntax.Expr {
				if line := e.Position().Line; line < first || line > last {
					t.Errorf("%s in %s is said to be in line %d, the algorithm has %d to %d", syntax.Print(e), d.Name, line, first, last)
				}
				return nil
			}}.expr(d.Body, nil)
		}
	})
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{ x := 1 }`, "2:39: x is no variable of the algorithm that could be assigned to"},
		{`variable x; { a: x := 1; x := 2 }`, "2:62: this statement needs a label (PlusCal options (-label) adds what is missing)"},
		{`variable x; { x := 1; a: skip; while (x = 1) skip; goto a; skip }`, "2:51: this statement needs a label; so do the statements at 2:68, 2:96 (PlusCal options (-label) adds what is missing)"},
		{`variable x; { a: with (i = 1) { b: x := i } }`, "2:72: what is in a with is one step: it has no while and no label"},
		{`variable x; { a: with (i = 1) { x := i; x := 2 } }`, "2:77: this statement needs a label, which a with cannot have: it is one step, in which a variable gets one value"},
		{`variable x; { a: x := 1 || x := 2 }`, "2:64: x is assigned to twice at once"},
		{`{ a: goto b }`, "2:42: there is no label b in this part of the algorithm to go to"},
		{`{ a: return }`, "2:42: return stands in procedures only"},
		{`{ a: call p() }`, "2:47: there is no procedure p"},
		{`procedure p(a) { b: return } { a: call p() }`, "2:76: procedure p has 1 parameters, here are 0 arguments"},
		{`procedure p() variable x \in {1}; { b: return } { a: call p() }`, "2:60: a variable of a procedure begins with one value: write = instead of \\in"},
		{`{ a: m() }`, "2:42: there is no macro m before this; procedures are called with call"},
		{`macro m(a) { skip } { a: m() }`, "2:62: macro m has 1 parameters, here are 0 arguments"},
		{`macro m(a) { a := 1 } { a: m(2) }`, "2:64: the macro assigns to its parameter a: the argument has to be a variable"},
		{`macro m() { a: skip } { m() }`, "2:49: a macro has no labels: take a out"},
		{`{ a: skip; a: skip }`, "2:48: there are two labels a here: rename one"},
		{`{ Done: skip }`, "2:39: Done is no name for a label: it is what pc is at an end"},
		{`variables x, x; { skip }`, "2:50: variable x is declared twice"},
		{`variables pc; { skip }`, "2:47: pc is a name that the translation defines: rename this variable"},
		{`variable x; process (p = 1) variable x; { a: skip }`, "2:74: x is a variable of the whole algorithm already: rename this one"},
		{`{ a: if (x > ) skip }`, "2:50: unexpected ); an expression is expected"},
		{`{ a: either skip or }`, "2:57: unexpected }; a statement is expected"},
		{`{ a: skip`, "2:49: the algorithm ends here; } is expected where the algorithm ends"},
	} {
		m := module(t, "m.tla", "---- MODULE m ----\n(* --algorithm m {                  "+c.text+" } *)\n====\n")
		_, err := Units(m)
		if err == nil || err.Error() != "m.tla:"+c.want {
			t.Errorf("%s\n got %v\nwant m.tla:%s", c.text, err, c.want)
		}
	}
}

// TestBounds refuses what would take more memory than there is.
func TestBounds(t *testing.T) {
	var doubling strings.Builder
	doubling.WriteString("macro m0() { skip }\n")
	for i := range 40 {
		fmt.Fprintf(&doubling, "macro m%d() { m%d(); m%d() }\n", i+1, i, i)
	}
	for _, c := range []struct{ text, want string }{
		{doubling.String() + "{ a: m40() }", "macros become more than 100000 statements here"},
		{"{ a: " + strings.Repeat("if (TRUE) ", 5000) + "skip }", "statements are nested deeper than 1000 here"},
		{"{ a: " + strings.Repeat("{", 5000) + "skip" + strings.Repeat("}", 5000) + "}", "statements are nested deeper than 1000 here"},
	} {
		_, err := Units(module(t, "m.tla", "---- MODULE m ----\n(* --algorithm m { "+c.text+" } *)\n====\n"))
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("got %v, want an error that ends with %q", err, c.want)
		}
	}
}

// TestSyntaxWithWords has the errors of the syntax without braces.
func TestSyntaxWithWords(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"begin if x then skip; end algorithm", "3:27: unexpected algorithm; if is expected after end"},
		{"begin while TRUE skip; end while; end algorithm", "3:18: unexpected skip; do is expected in while"},
		{"begin x = 1; end algorithm", "3:9: unexpected =; := is expected in an assignment"},
		{"process p begin skip; end process; end algorithm", "3:11: unexpected begin; \\in is expected after the name of a process, or ="},
		{"variables x = ; begin skip; end algorithm", "3:15: unexpected ;; an expression is expected"},
		{"begin skip", "4:1: the algorithm ends here; end is expected where this algorithm ends"},
	} {
		_, err := Units(module(t, "m.tla", "---- MODULE m ----\n(* --algorithm m\n"+c.text+"\n*)\n====\n"))
		if err == nil || err.Error() != "m.tla:"+c.want {
			t.Errorf("%s\n got %v\nwant m.tla:%s", c.text, err, c.want)
		}
	}
}

// FuzzTranslate holds the translation of any text to: an error, or units that can be read again.
func FuzzTranslate(f *testing.F) {
	paths, _ := filepath.Glob("testdata/*.tla")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := syntax.ParseModule(&syntax.Source{Name: "m.tla", Text: text})
		if err != nil || m.Algorithm == nil {
			return
		}
		units, err := Units(m)
		if err != nil {
			if wrong := new(syntax.Error); !errors.As(err, &wrong) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		again := "---- MODULE m ----\n" + printed(units) + "\n====\n"
		if _, err := syntax.ParseModule(&syntax.Source{Name: "again", Text: again}); err != nil {
			t.Fatalf("%v in\n%s", err, again)
		}
	})
}
