package browser

import (
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/seatrial/seatrial/internal/sample"
)

// Whatever names, labels, messages, file names and lines of files hold: it is shown as
// text, nothing of it is run, and the page has the elements that it always has.
func TestUserTextIsNeverMoreThanText(t *testing.T) {
	elements := func(p *tab) int { return value[int](p, `document.querySelectorAll("*").length`) }
	plain := 0
	for _, attack := range append([]string{"plain"}, sample.Attacks...) {
		p := open(t, written(t, sample.Hostile(attack)), 1280, 900, false)
		through(p)
		if plain == 0 {
			plain = elements(p)
		}
		if got := elements(p); got != plain {
			t.Errorf("%q: the page has %d elements, without it %d", attack, got, plain)
		}
		if value[bool](p, `"injected" in window || Object.prototype.polluted !== undefined || document.querySelector("main").children.length === 0`) {
			t.Errorf("%q did something", attack)
		}
		p.clean()
	}
}

// through goes to every corner of a page.
func through(p *tab) {
	for range 3 {
		p.press(kb.ArrowRight)
	}
	p.press(kb.Home, kb.ArrowRight)
	value[bool](p, `(document.querySelectorAll("details").forEach((e) => { e.open = true; }), true)`)
	value[bool](p, `(dispatchEvent(new Event("beforeprint")), dispatchEvent(new Event("afterprint")), true)`)
	value[bool](p, `(document.querySelectorAll(".list a")[1].click(), true)`)
	p.must(await(p, `location.hash === "#finding-2" && document.querySelectorAll(".list a").length > 1`))
	value[bool](p, `(document.querySelectorAll(".list a")[0].click(), true)`)
	p.must(await(p, `document.querySelector(".player") !== null`))
	value[bool](p, `(document.querySelectorAll("[onmouseover], [onload], [onerror]").length === 0)`)
}

func await(p *tab, expression string) error {
	_, err := chromedp.Run(p.ctx, chromedp.Poll[bool](expression))
	return err
}

// The policy of the page is in force: what it should refuse, the browser refuses.
func TestTheBrowserRefusesWhatThePolicyDoes(t *testing.T) {
	for name, try := range map[string]string{
		"HTML from text":   `try { document.body.innerHTML = "<b>x</b>"; "allowed" } catch (e) { "refused" }`,
		"code from text":   `try { new Function("return 1")(); "allowed" } catch (e) { "refused" }`,
		"a request":        `fetch("http://127.0.0.1:1/").then(() => "allowed", () => "refused")`,
		"another script":   `new Promise((done) => { const e = document.createElement("script"); e.onload = () => done("allowed"); e.onerror = () => done("refused"); try { e.src = "x.js"; } catch (_) { done("refused"); } document.head.append(e); })`,
		"a picture":        `new Promise((done) => { const e = new Image(); e.onload = () => done("allowed"); e.onerror = () => done("refused"); e.src = "http://127.0.0.1:1/x.png"; })`,
		"an inline script": `(() => { const e = document.createElement("p"); try { e.setAttribute("onclick", "window.injected = 1"); e.click(); } catch (_) {} return "injected" in window ? "allowed" : "refused"; })()`,
	} {
		p := open(t, written(t, sample.Large(2, 5)), 1280, 900, false)
		got, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](try, chromedp.EvalAwaitPromise, underPolicy))
		p.must(err)
		if got != "refused" {
			t.Errorf("%s is %s", name, got)
		}
	}
}

// underPolicy evaluates as the page's own script would: the tools for developers may
// do more.
func underPolicy(p *runtime.EvaluateParams) { p.AllowUnsafeEvalBlockedByCSP = new(bool) }
