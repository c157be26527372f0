package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/sample"
)

// at is the position that a page shows: in its count, its slider, and the step that
// is open.
func at(p *tab) string {
	return value[string](p, `[document.querySelector(".count").textContent, document.querySelector("input[type=range]").value,
		[...document.querySelectorAll(".step")].indexOf(document.querySelector(".step.open"))].join(", ")`)
}

func TestKeysGoThroughATrace(t *testing.T) {
	r := sample.Large(2, 12)
	loop := 7
	r.Results[0].Trace.Loop = &loop
	p := open(t, written(t, r), 1280, 900, false)
	for _, c := range []struct{ name, key, want string }{
		{"it begins at the start", "", "0 / 12, 0, 0"},
		{"not before it", kb.ArrowLeft, "0 / 12, 0, 0"},
		{"one step on", kb.ArrowRight, "1 / 12, 1, 1"},
		{"with a letter", "l", "2 / 12, 2, 2"},
		{"and back", "h", "1 / 12, 1, 1"},
		{"to the end", kb.End, "12 / 12, 12, 12"},
		{"after the last step comes the first of the loop", kb.ArrowRight, "8 / 12, 8, 8"},
		{"to the start", kb.Home, "0 / 12, 0, 0"},
	} {
		if c.key != "" {
			p.press(c.key)
		}
		if got := at(p); got != c.want {
			t.Errorf("%s: at %s, want %s", c.name, got, c.want)
		}
	}
	p.clean()
}

func TestATraceThatEndsStaysAtItsEnd(t *testing.T) {
	for name, loop := range map[string]*int{"it just ends": nil, "it rests": new(int)} {
		r := sample.Large(2, 5)
		if loop != nil {
			*loop = 5
		}
		r.Results[0].Trace.Loop = loop
		p := open(t, written(t, r), 1280, 900, false)
		p.press(kb.End, kb.ArrowRight, kb.ArrowRight)
		if got := at(p); got != "5 / 5, 5, 5" {
			t.Errorf("%s: at %s", name, got)
		}
		p.clean()
	}
}

// Space plays until it is pressed again.
func TestSpacePlays(t *testing.T) {
	p := open(t, written(t, sample.Large(2, 300)), 1280, 900, false)
	p.press(" ")
	if _, err := chromedp.Run(p.ctx, chromedp.Poll[bool](`Number(document.querySelector("input[type=range]").value) > 2`)); err != nil {
		t.Fatal(err)
	}
	p.press(" ")
	label := value[string](p, `document.querySelector(".play").getAttribute("aria-label")`)
	if label != "play (space)" {
		t.Errorf("when it stands still the button says %q", label)
	}
	p.clean()
}

// Everything that can be used can be reached with the Tab key, in the order in which
// it is seen, and has a name; a step is opened with Enter.
func TestEverythingIsReachedWithTab(t *testing.T) {
	r := manyFindings()
	p := open(t, written(t, r), 1280, 900, false)
	want := value[int](p, `[...document.querySelectorAll("a, button, input, summary, [tabindex='0']")].filter((e) => e.checkVisibility()).length`)
	value[bool](p, `(window.reached = [], document.addEventListener("focusin", (e) => reached.push(e.target)), true)`)
	for range want {
		p.press(kb.Tab)
	}
	got := value[struct{ Reached, Falls, Nameless int }](p, `({
		reached: new Set(reached).size,
		falls: reached.filter((e, i) => i > 0 && (reached[i - 1].compareDocumentPosition(e) & Node.DOCUMENT_POSITION_PRECEDING)).length,
		nameless: reached.filter((e) => !(e.getAttribute("aria-label") || e.textContent || (e.labels && e.labels.length))).length,
	})`)
	if want < 30 || got.Reached < want-1 || got.Falls > 0 || got.Nameless > 0 {
		t.Errorf("of %d things that can be used: %+v", want, got)
	}
	value[bool](p, `(document.querySelectorAll(".step button")[4].focus(), true)`)
	p.press(kb.Enter)
	if got := at(p); got != "4 / 20, 4, 4" {
		t.Errorf("Enter on the fourth step leads to %s", got)
	}
	p.clean()
}

// In a page of many findings the list narrows, and a link leads to each.
func TestFindingsAreFilteredAndChosen(t *testing.T) {
	p := open(t, written(t, manyFindings()), 1280, 900, false)
	rows := func() string {
		return value[string](p, `[...document.querySelectorAll(".list li")].filter((e) => !e.hidden).map((e) => e.dataset.index).join(" ")`)
	}
	search := func(text string) {
		value[bool](p, fmt.Sprintf(`((e) => { e.value = %q; e.dispatchEvent(new Event("input")); return true; })(document.querySelector("input[type=search]"))`, text))
	}
	for _, c := range []struct {
		name string
		do   func()
		want string
	}{
		{"all, the violated ones first", func() {}, "0 1 2 3 4 5 6"},
		{"by words in any order", func() { search("SERVICE-01 drain") }, "5"},
		{"nothing", func() { search("nobody") }, ""},
		{"all again", func() { search("") }, "0 1 2 3 4 5 6"},
		{"not what holds", func() { p.do(chromedp.Click(chromedp.CSS(`.filters label[data-verdict=holds]`))) }, "0 1 2 3"},
		{"not what is violated either", func() { p.do(chromedp.Click(chromedp.CSS(`.filters label[data-verdict=violated]`))) }, ""},
	} {
		c.do()
		if got := rows(); got != c.want {
			t.Errorf("%s: rows %q, want %q", c.name, got, c.want)
		}
	}
	p.do(chromedp.Click(chromedp.CSS(`.filters label[data-verdict=violated]`)), chromedp.Click(chromedp.CSS(`.list li[data-index="2"] a`)))
	if _, err := chromedp.Run(p.ctx, chromedp.Poll[bool](`document.querySelector(".finding .rule").textContent.startsWith("SEA1003") && location.hash === "#finding-3"`)); err != nil {
		t.Fatal(err)
	}
	if got := at(p); got != "0 / 6, 0, 0" {
		t.Errorf("the trace of the third finding is at %s", got)
	}
	p.clean()
}

// A report may have nothing to step through; a page of it is still one.
func TestAPageWithoutATraceOrAnything(t *testing.T) {
	for name, r := range map[string]*finding.Report{
		"nothing at all": {},
		"no verdict":     {Verdict: finding.Inconclusive, Reason: "interrupted"},
		"no trace":       {Verdict: finding.Violated, Results: []finding.Result{{Name: "x", Verdict: finding.Violated}}},
		"holds":          {Verdict: finding.Holds, Results: []finding.Result{{Name: "x", Verdict: finding.Holds, Vacuous: "nothing starts"}}},
		"ignored":        {Verdict: finding.Holds, Results: []finding.Result{{Name: "x", Verdict: finding.Violated, Ignored: &finding.Ignored{By: finding.ByBaseline}}}},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, written(t, r), 1280, 900, false)
			p.press(kb.ArrowRight, " ")
			p.clean()
		})
	}
}

// Where not all nodes can be seen at once, the one that changes is.
func TestWhatChangesIsSeen(t *testing.T) {
	p := open(t, written(t, sample.Large(100, 500)), 1280, 900, false)
	for _, key := range []string{kb.End, kb.Home + kb.ArrowRight} {
		p.press(strings.Split(key, "")...)
		seen := value[bool](p, `(() => {
			const box = document.querySelector(".cluster").getBoundingClientRect();
			const node = document.querySelector(".node.changed").getBoundingClientRect();
			return node.top >= box.top && node.bottom <= box.bottom;
		})()`)
		if !seen {
			t.Errorf("at %s the node that changes cannot be seen", at(p))
		}
	}
	p.clean()
}

// A trial that has two traces for a finding, a reference beside what was perturbed,
// shows them beside each other; they go together.
func TestTracesOfOneFindingGoTogether(t *testing.T) {
	r := sample.Large(2, 12)
	r.Results[0].Reference = sample.Large(2, 9).Results[0].Trace
	p := open(t, written(t, r), 1280, 900, false)
	p.press(kb.ArrowRight, kb.ArrowRight)
	if got := value[[]string](p, `[...document.querySelectorAll(".count")].map((e) => e.textContent)`); len(got) != 2 || got[0] != "2 / 9" || got[1] != "2 / 12" {
		t.Errorf("the two are at %q", got)
	}
	if got := value[[]string](p, `[...document.querySelectorAll(".player h3")].map((e) => e.textContent)`); len(got) != 2 || got[0] != "to compare with" || got[1] != "what was found" {
		t.Errorf("they are called %q", got)
	}
	p.picture("beside")
	p.clean()
}
