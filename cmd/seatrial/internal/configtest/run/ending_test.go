package run

import (
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/process"
)

// TestEnding: how a test ended is read from what its process printed, also where lines run into each other.
func TestEnding(t *testing.T) {
	const limit = 3 * time.Second
	for name, c := range map[string]struct {
		code   int
		output string
		took   time.Duration
		want   Ending
	}{
		"passes":                       {0, "=== RUN   TestA\n--- PASS: TestA (0.00s)\n", 1, Passed},
		"passes behind a dot":          {0, "=== RUN   TestA\n.--- PASS: TestA (0.00s)\n", 1, Passed},
		"is skipped":                   {0, "=== RUN   TestA\n--- SKIP: TestA (0.00s)\n", 1, Skipped},
		"fails":                        {1, "=== RUN   TestA\n--- FAIL: TestA (0.00s)\n", 1, Failed},
		"fails behind a dot":           {1, "=== RUN   TestA\n.--- FAIL: TestA (0.00s)\n", 1, Failed},
		"panics":                       {2, "=== RUN   TestA\npanic: no [recovered]\n", 1, Panicked},
		"panics late":                  {2, "=== RUN   TestA\npanic: no\n", limit, Panicked},
		"exits":                        {1, "=== RUN   TestA\nno such file\n", 1, Exited},
		"exits as the runtime does":    {2, "=== RUN   TestA\nusage: shop\n", 1, Exited},
		"exits late":                   {1, "=== RUN   TestA\nno such file\n", limit, Exited},
		"is out of time":               {2, "=== RUN   TestA\npanic: test timed out after 3s\nrunning tests:\n", limit, TimedOut},
		"is out of time in a line":     {2, "=== RUN   TestA\nabcpanic: test timed out after 3s\n", limit, TimedOut},
		"is out of time, and prints":   {2, "=== RUN   TestA\npanic: abc\ntest timed out after 3sabc\n", limit, TimedOut},
		"is out of time, none is kept": {2, "=== RUN   TestA\n… 9 bytes are left out …\nabc\n", limit, TimedOut},
		"passes, and says so":          {0, "=== RUN   TestA\nit says: test timed out after 3s\n--- PASS: TestA (0.00s)\n", 1, Passed},
		"passes, as a child says":      {0, "=== RUN   TestA\npanic: test timed out after 9s\n--- PASS: TestA (0.00s)\n", 1, Passed},
		"says another's time":          {2, "=== RUN   TestA\npanic: request: test timed out after 9s\n", 1, Panicked},
	} {
		o := &Outcome{Output: c.output, Took: c.took, limit: limit}
		if got := ending(t.Context(), process.Exit{Code: c.code}, o, "TestA"); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
