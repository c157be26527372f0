package judge

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestPanicsItself: whose panic it is says the first frame behind those of the runtime.
func TestPanicsItself(t *testing.T) {
	trace := func(at string) string {
		return "panic: runtime error: index out of range [8]\n\ngoroutine 7 [running]:\ntesting.tRunner.func1()\n\t/go/src/testing/testing.go:1 +0x1\npanic({0x1, 0x2})\n\t/go/src/runtime/panic.go:783 +0x1\nshop.f(0x8)\n\t" + at + " +0x1\n"
	}
	for output, want := range map[string]bool{
		trace("/tmp/shop/shop_test.go:12"): true,
		trace("/tmp/shop/shop.go:12"):      false,
		"it has no trace":                  false,
	} {
		if got := panicsItself(&run.Outcome{Output: output}); got != want {
			t.Errorf("%q: %t", output, got)
		}
	}
}
