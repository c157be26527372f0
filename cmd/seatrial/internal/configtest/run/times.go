package run

import (
	"bytes"
	"regexp"
	"time"
)

// times is what a process of several tests prints with -test.v, of which it keeps how long each took: of those that
// wait for others since they run in parallel that is without the waiting.
type times struct {
	took map[string]time.Duration
	line []byte // that has not ended
}

var ended = regexp.MustCompile(`^--- (?:PASS|SKIP): (\S+) \((\d+\.\d+s)\)$`)

// longestLine is more than such a line has.
const longestLine = 4 << 10

func (t *times) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		some, rest, whole := bytes.Cut(p, []byte("\n"))
		t.line = append(t.line, some[:min(len(some), max(0, longestLine-len(t.line)))]...)
		if p = rest; !whole {
			break
		}
		if found := ended.FindSubmatch(t.line); found != nil {
			if took, err := time.ParseDuration(string(found[2])); err == nil {
				if t.took == nil {
					t.took = map[string]time.Duration{}
				}
				t.took[string(found[1])] = took
			}
		}
		t.line = t.line[:0]
	}
	return n, nil
}

// of is how long a test took, or what is given if it has not said so. It is never nothing, which is for what is not
// known.
func (t *times) of(test string, otherwise time.Duration) time.Duration {
	if took, is := t.took[test]; is {
		return max(took, time.Millisecond)
	}
	return otherwise
}
