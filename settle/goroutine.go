package settle

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// goroutine names one, and the bubble that it is in.
type goroutine struct{ id, bubble string }

// current is the running goroutine.
func current() goroutine {
	var b [96]byte // goroutine 7 [running, synctest bubble 3]:
	id, rest, _ := bytes.Cut(b[:runtime.Stack(b[:], false)], []byte(" ["))
	rest, _, _ = bytes.Cut(rest, []byte("]"))
	_, bubble, _ := bytes.Cut(rest, []byte(", synctest "))
	return goroutine{string(id), string(bubble)}
}

// own is what the functions of this package are called in a stack, and its tests are not.
const own = "github.com/seatrial/seatrial/settle."

// machinery tells whether a function is of Go or of ours, and says nothing about a reconcile.
func machinery(function string) bool {
	for _, prefix := range []string{"runtime.", "runtime/", "internal/", "sync.", "sync/", "testing.", "testing/", "panic(", "time.", own, "sigs.k8s.io/controller-runtime/pkg/internal/"} {
		if strings.HasPrefix(function, prefix) {
			return true
		}
	}
	return strings.HasPrefix(function, "github.com/seatrial/seatrial/settle/internal/")
}

// stackMax bounds what is looked at of all goroutines, in bytes, and shownMax how many are shown.
const (
	stackMax = 4 << 20
	shownMax = 4
)

// place is a line of a stack: a file and a line.
var place = regexp.MustCompile(`^\t(.*:\d+)`)

// dump are all goroutines.
func dump() string {
	b := make([]byte, stackMax)
	return string(b[:runtime.Stack(b, true)])
}

// doing is what a goroutine does, and the bubble that it is in: goroutine 7 [select, synctest bubble 3]:
func doing(head string) (is, bubble string) {
	_, is, _ = strings.Cut(head, "[")
	is, bubble, _ = strings.Cut(strings.TrimSuffix(is, "]:"), ", synctest ")
	bubble, _, _ = strings.Cut(bubble, ",")
	return is, bubble
}

// goroutinesOf are those of the bubble that a goroutine has begun.
func goroutinesOf(root string) string {
	all := dump()
	for text := range strings.SplitSeq(all, "\n\n") {
		if strings.HasPrefix(text, root+" [") {
			head, _, _ := strings.Cut(text, "\n")
			_, bubble := doing(head)
			return inBubble(all, bubble)
		}
	}
	return ""
}

// goroutines are those of a bubble.
func goroutines(bubble string) string { return inBubble(dump(), bubble) }

// inBubble are those of a bubble, each with what it waits for, where it is, and where it was
// started: but not those that run the reconcile.
func inBubble(dump, bubble string) string {
	var all []string
	for text := range strings.SplitSeq(dump, "\n\n") {
		head, frames, _ := strings.Cut(text, "\n")
		is, in := doing(head)
		if in == "" || in != bubble {
			continue
		}
		if at := first(frames); at != "" {
			is, _, _ = strings.Cut(is, " (durable)")
			all = append(all, fmt.Sprintf("%s in %s", is, at))
		}
	}
	return shown(all)
}

// shown are some of them.
func shown(all []string) string {
	if len(all) > shownMax {
		all = append(all[:shownMax], fmt.Sprintf("%d more", len(all)-shownMax))
	}
	return strings.Join(all, "; ")
}

// first is the first function of a stack that is of the user, and where it was started.
func first(frames string) (at string) {
	lines := strings.Split(frames, "\n")
	for i := 0; i+1 < len(lines); i++ {
		function, created := strings.CutPrefix(lines[i], "created by ")
		file := place.FindStringSubmatch(lines[i+1])
		if file == nil || machinery(function) {
			continue
		}
		where := filepath.Base(filepath.Dir(file[1])) + "/" + filepath.Base(file[1])
		if created {
			if at == "" {
				return "a goroutine that is started at " + where
			}
			return at + ", started at " + where
		}
		if at == "" {
			at = where
		}
	}
	return at
}

// callers tells where a request is made from, by the functions and lines of its stack.
func callers() string {
	var pcs [32]uintptr
	var b strings.Builder
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		fmt.Fprintf(&b, "%s:%d\n", f.File, f.Line)
		if !more {
			return b.String()
		}
	}
}

// panicked is where a panic began that is being recovered, in brackets.
func panicked() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs[:])])
	for seen := false; ; {
		f, more := frames.Next()
		switch {
		case strings.HasPrefix(f.Function, "runtime.") && strings.Contains(f.Function, "panic"):
			seen = true
		case seen && !machinery(f.Function):
			return fmt.Sprintf(" (%s/%s:%d)", filepath.Base(filepath.Dir(f.File)), filepath.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}
