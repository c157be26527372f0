package browser

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long anything in the browser may take; nothing waits for it.
const patience = 2 * time.Minute

// browser is the one that all tests have tabs in.
var browser context.Context

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var options []chromedp.ExecAllocatorOption
	options = append(options, chromedp.DefaultExecAllocatorOptions[:]...)
	if path := os.Getenv("SEATRIAL_BROWSER"); path != "" {
		options = append(options, chromedp.ExecPath(path))
	}
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium has none for root
	}
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	defer end()
	started, stop := chromedp.NewContext(allocator)
	defer stop()
	if err := chromedp.Do(started); err != nil {
		fmt.Fprintf(os.Stderr, "no browser: %v\nInstall Chromium (apt-get install chromium), or name one in SEATRIAL_BROWSER.\n", err)
		return 1
	}
	browser = started
	return m.Run()
}

// tab is a page in the browser, with what went wrong in it.
type tab struct {
	t     testing.TB
	ctx   context.Context
	mu    sync.Mutex
	wrong []string
	// asked are the addresses that were requested.
	asked []string
}

// open shows a file at a size, in a tab of its own. dark asks for dark colours.
func open(t testing.TB, file string, width, height int, dark bool) *tab {
	t.Helper()
	ctx, closeTab := chromedp.NewContext(browser)
	ctx, cancel := context.WithTimeout(ctx, patience)
	t.Cleanup(func() { cancel(); closeTab() })
	p := &tab{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, p.listen); err != nil {
		t.Fatal(err)
	}
	call(p, network.Enable, network.EnableParams{})
	call(p, log.Enable, cdp.Empty{})
	call(p, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	p.dark(dark)
	p.do(chromedp.EmulateViewport(int64(width), int64(height)),
		chromedp.Navigate((&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()), chromedp.WaitReady(chromedp.CSS("footer")))
	return p
}

// dark says which colours the user likes.
func (p *tab) dark(is bool) {
	p.t.Helper()
	value := "light"
	if is {
		value = "dark"
	}
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}}})
}

func call[P, R any](p *tab, command cdp.Command[P, R], params P) R {
	p.t.Helper()
	out, err := chromedp.Call(p.ctx, command, params)
	p.must(err)
	return out
}

func (p *tab) listen(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.wrong = append(p.wrong, fmt.Sprintf("%+v", e.ExceptionDetails))
	case *runtime.EventConsoleAPICalled:
		p.wrong = append(p.wrong, fmt.Sprintf("the console says %s: %+v", e.Type, e.Args))
	case *log.EventEntryAdded:
		p.wrong = append(p.wrong, fmt.Sprintf("the browser says %s: %s", e.Entry.Level, e.Entry.Text))
	case *network.EventRequestWillBeSent:
		p.asked = append(p.asked, e.Request.URL)
	}
}

func (p *tab) must(err error) {
	p.t.Helper()
	if err != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.t.Fatalf("%v\n%s", err, strings.Join(p.wrong, "\n"))
	}
}

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	p.must(chromedp.Do(p.ctx, actions...))
}

// value is what an expression in the page is.
func value[T any](p *tab, expression string) T {
	p.t.Helper()
	out, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	p.must(err)
	return out
}

// press presses keys one after the other.
func (p *tab) press(keys ...string) {
	p.t.Helper()
	for _, key := range keys {
		p.do(chromedp.KeyEvent(key))
	}
}

// clean fails the test if the page said anything on its console, or asked for
// anything but itself.
func (p *tab) clean() {
	p.t.Helper()
	value[bool](p, "true") // events come before the answer
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, wrong := range p.wrong {
		p.t.Error(wrong)
	}
	for i, address := range p.asked {
		if !strings.HasPrefix(address, "data:") && (i > 0 || !strings.HasPrefix(address, "file:")) {
			p.t.Errorf("the page asks for %s", address)
		}
	}
	if len(p.asked) == 0 {
		p.t.Error("not even the page was asked for: nobody listens")
	}
}

// picture leaves a picture of the whole page where SEATRIAL_PICTURES says.
func (p *tab) picture(name string) {
	p.t.Helper()
	dir := os.Getenv("SEATRIAL_PICTURES")
	if dir == "" {
		return
	}
	data, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	p.must(err)
	if err := os.WriteFile(filepath.Join(dir, name+".png"), data, 0o644); err != nil {
		p.t.Fatal(err)
	}
}
