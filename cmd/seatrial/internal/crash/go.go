package crash

import (
	"regexp"
	"strconv"
	"strings"
)

const (
	goPanic      = "go panic"
	goFatalError = "go fatal error"
)

func goKind(kind string) bool { return kind == goPanic || kind == goFatalError }

var (
	goFirst     = regexp.MustCompile(`^(panic|fatal error): (.*)$`)
	goSignal    = regexp.MustCompile(`^(SIG[A-Z]+: .*)$`)
	goroutine   = regexp.MustCompile(`^\s*goroutine \d+ (?:gp=\S+ m=\S+ (?:mp=\S+ )?)?\[[^\]]*\]:$`)
	goPlace     = regexp.MustCompile(`^\s+(\S.*?:\d+)(?: \+0x[0-9a-f]+)?(?: fp=\S+ sp=\S+ pc=\S+)?$`)
	goArguments = regexp.MustCompile(`\([^()]*(?:\([^()]*\)[^()]*)*\)$`)
	goCreated   = regexp.MustCompile(` in goroutine \d+$`)
	recovered   = regexp.MustCompile(`( \[recovered(, repanicked)?\])+$`)
	observed    = regexp.MustCompile(`Observed a panic(?: in reconciler)?(?:: (.*))?`)
	panicField  = regexp.MustCompile(`\bpanic=("(?:[^"\\]|\\.)*")`)
)

// goCrash is what the Go runtime prints when a program ends: the panic or error, and the stacks of
// goroutines, the one at fault first.
func goCrash(lines []string, at int) (Crash, int) {
	c := Crash{Kind: goPanic}
	if m := goFirst.FindStringSubmatch(lines[at]); m != nil {
		c.Message = recovered.ReplaceAllString(m[2], "")
		if m[1] != "panic" {
			c.Kind = goFatalError
		}
	} else if m := goSignal.FindStringSubmatch(lines[at]); m != nil && at+1 < len(lines) && strings.HasPrefix(lines[at+1], "PC=") {
		c.Kind, c.Message = goFatalError, m[1]
	} else {
		return c, 0
	}
	stack := nextGoroutine(lines, at+1)
	if stack < 0 {
		return c, 0
	}
	var end int
	c.Frames, end = goFrames(lines, stack+1)
	c.Frames, _ = blamed(c.Frames)
	// The other goroutines belong to it.
	for next := nextGoroutine(lines, end); next >= 0 && next <= end+1; next = nextGoroutine(lines, end) {
		_, end = goFrames(lines, next+1)
	}
	return c, end - at
}

// goLogged is a panic that was recovered and logged.
func goLogged(lines []string, at int) (Crash, int) {
	c := Crash{Kind: goPanic, Caught: true}
	if observed.MatchString(lines[at]) {
		c.Message = observedMessage(lines[at])
		if at+1 < len(lines) && goroutine.MatchString(lines[at+1]) {
			frames, end := goFrames(lines, at+2)
			c.Frames, _ = blamed(frames)
			return c, end - at
		}
		return c, 1
	}
	// A stack with the call of panic in it was printed by who recovered.
	if !goroutine.MatchString(lines[at]) {
		return c, 0
	}
	frames, end := goFrames(lines, at+1)
	panicked := false
	if c.Frames, panicked = blamed(frames); !panicked {
		return c, 0
	}
	c.Message = "recovered"
	if before := lastBefore(lines, at); before != "" {
		c.Message = recovered.ReplaceAllString(before, "")
	}
	return c, end - at
}

// blamed are the frames below the last call of panic: above it is who recovered, or
// panicked again.
func blamed(frames []string) (below []string, panicked bool) {
	for i := len(frames) - 1; i >= 0; i-- {
		if strings.HasPrefix(frames[i], "panic (") {
			return frames[i+1:], true
		}
	}
	return frames, false
}

// observedMessage is what the line of a logged panic says of it.
func observedMessage(line string) string {
	if f := panicField.FindStringSubmatch(line); f != nil {
		if text, err := strconv.Unquote(f[1]); err == nil {
			first, _, _ := strings.Cut(text, "\n")
			return first
		}
	}
	if start := strings.IndexByte(line, '{'); start >= 0 {
		if fields, ok := stringFields(line[start:]); ok {
			line = line[:start] // unless it is JSON all of it
			for _, f := range fields {
				if f.name == "panic" {
					return f.value
				}
				if observed.MatchString(f.value) {
					line = f.value
				}
			}
		}
	}
	if m := observed.FindStringSubmatch(line); m != nil {
		line = strings.TrimSpace(m[1])
	}
	return oldObserved(line)
}

// oldObserved is the message in what client-go wrote before it had fields: the value as Go
// source, and in brackets as text.
func oldObserved(message string) string {
	if open := strings.LastIndex(message, " ("); open > 0 && strings.HasSuffix(message, ")") {
		return message[open+2 : len(message)-1]
	}
	return message
}

// nextGoroutine is the line where the stack of a goroutine begins, soon after from; -1 if none does.
func nextGoroutine(lines []string, from int) int {
	for i := from; i < min(len(lines), from+aheadMax); i++ {
		if goroutine.MatchString(lines[i]) {
			return i
		}
		if goFirst.MatchString(lines[i]) && !strings.HasPrefix(lines[i], "\t") {
			return -1
		}
	}
	return -1
}

// goFrames reads the frames of one stack, and returns the line after it.
func goFrames(lines []string, from int) (frames []string, end int) {
	i := from
	for ; i+1 < len(lines); i += 2 {
		if strings.HasPrefix(strings.TrimSpace(lines[i]), "...") { // frames left out
			i--
			continue
		}
		place := goPlace.FindStringSubmatch(lines[i+1])
		function := strings.TrimSpace(lines[i])
		if place == nil || function == "" {
			break
		}
		function = goCreated.ReplaceAllString(function, "")
		if !strings.HasPrefix(function, "created by ") {
			function = goArguments.ReplaceAllString(function, "")
		}
		frames = append(frames, function+" ("+goFile(place[1])+")")
	}
	return frames, min(i, len(lines))
}

// goFile is a place without where modules and Go itself are kept.
func goFile(place string) string {
	if _, module, ok := strings.Cut(place, "/pkg/mod/"); ok {
		return module
	}
	if _, own, ok := strings.Cut(place, "/go/src/"); ok {
		return own
	}
	return place
}

// lastBefore is the line before one, unless it is blank: then the one before that.
func lastBefore(lines []string, at int) string {
	for i := at - 1; i >= max(0, at-2); i-- {
		if strings.TrimSpace(lines[i]) != "" {
			return lines[i]
		}
	}
	return ""
}
