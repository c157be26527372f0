package run

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestTimes: how long each test took is read, however what is printed comes.
func TestTimes(t *testing.T) {
	text := "=== RUN   TestA\n--- PASS: TestA (1.25s)\n    --- PASS: TestA/b (9.00s)\nx--- PASS: TestB (9.00s)\n" + strings.Repeat("long", 5000) +
		"\n--- SKIP: TestC (0.00s)\n--- FAIL: TestD (2.00s)\nPASS\n--- PASS: TestE (3.00s)"
	for _, size := range []int{1, 7, len(text)} {
		var got times
		for rest := text; rest != ""; rest = rest[min(size, len(rest)):] {
			if n, err := got.Write([]byte(rest[:min(size, len(rest))])); err != nil || n != min(size, len(rest)) {
				t.Fatal(n, err)
			}
		}
		var all []string
		for _, test := range []string{"TestA", "TestA/b", "TestB", "TestC", "TestD", "TestE"} {
			all = append(all, fmt.Sprint(got.of(test, time.Minute)))
		}
		if got, want := strings.Join(all, " "), "1.25s 1m0s 1m0s 1ms 1m0s 1m0s"; got != want {
			t.Errorf("by %d: %s, want %s", size, got, want)
		}
	}
}
