package progress

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/statespace"
)

// watch runs a minute of one call per half second and returns stderr.
func watch(t *testing.T, mode string, term iostreams.Terminal) string {
	t.Helper()
	if term.Env == nil {
		term.Env = map[string]string{"LANG": "C.UTF-8"}
	}
	s, _, log := iostreams.Test("", term)
	p := New(console.New(s, ""), mode)
	if p == nil {
		return ""
	}
	clock := p.began
	p.now = func() time.Time { return clock }
	p.memory = func() uint64 { return 300 << 20 }
	for i := range 122 {
		p.Update(statespace.Progress{States: 20_000 * i, Transitions: 60_000 * i, Frontier: 5 * i, Depth: i / 10})
		clock = clock.Add(500 * time.Millisecond)
	}
	p.End()
	return log.String()
}

func TestProgressOnATerminalIsRewrittenEachSecond(t *testing.T) {
	got := watch(t, Auto, iostreams.Terminal{Err: true})
	frames := strings.Split(got, "\r\x1b[K")
	if len(frames) != 61 || frames[60] != "" {
		t.Errorf("%d frames: %q", len(frames), got)
	}
	if frames[0] != "   1s  40.0k states (40.0k/s)  frontier 10  depth 0  300 MiB" {
		t.Errorf("first frame %q", frames[0])
	}
	if strings.Contains(got, "\n") {
		t.Error("progress scrolls")
	}
}

func TestProgressElsewhereIsALineEach30Seconds(t *testing.T) {
	for _, c := range []struct {
		mode string
		term iostreams.Terminal
	}{{Auto, iostreams.Terminal{}}, {Plain, iostreams.Terminal{Err: true}}, {Auto, iostreams.Terminal{Err: true, Env: map[string]string{"TERM": "dumb"}}}} {
		got := watch(t, c.mode, c.term)
		want := "   1s  40.0k states (40.0k/s)  frontier 10  depth 0  300 MiB\n  31s  1.2M states (40.0k/s)  frontier 310  depth 6  300 MiB\n"
		if got != want {
			t.Errorf("%s: got\n%swant\n%s", c.mode, got, want)
		}
	}
}

func TestProgressAsJSON(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(watch(t, JSON, iostreams.Terminal{})), "\n")
	if len(lines) != 60 {
		t.Fatalf("%d lines", len(lines))
	}
	var first map[string]float64
	if err := json.Unmarshal([]byte(lines[0]), &first); err != nil {
		t.Fatal(err)
	}
	if first["states"] != 40_000 || first["statesPerSecond"] != 40_000 || first["seconds"] != 1 || first["memoryBytes"] != 300<<20 {
		t.Error(lines[0])
	}
}

func TestNoProgress(t *testing.T) {
	if got := watch(t, None, iostreams.Terminal{Err: true}); got != "" {
		t.Errorf("%q", got)
	}
	s, _, _ := iostreams.Test("", iostreams.Terminal{Err: true})
	c := console.New(s, "")
	c.Quiet = true
	if New(c, Auto) != nil {
		t.Error("progress although quiet")
	}
}

func TestProgressOfASecondExplorationStartsAgain(t *testing.T) {
	s, _, log := iostreams.Test("", iostreams.Terminal{})
	p := New(console.New(s, ""), JSON)
	clock := p.began
	p.now = func() time.Time { return clock }
	for _, states := range []int{1000, 50} {
		clock = clock.Add(2 * time.Second)
		p.Update(statespace.Progress{States: states})
	}
	if strings.Contains(log.String(), `"statesPerSecond":-`) {
		t.Error(log.String())
	}
}

func TestShort(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1.0k", 12_345: "12.3k", 999_999: "999.9k", 4_500_000: "4.5M", 2_000_000_000: "2.0G"} {
		if got := short(n); got != want {
			t.Errorf("short(%d) = %s, want %s", n, got, want)
		}
	}
}
