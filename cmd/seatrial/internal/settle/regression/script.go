package regression

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/trace"
)

// script is a line for each step of a trace, and those around its loop.
func script(t *trace.Trace, draws bool) (lines []string, err error) {
	s := newSteps(t, draws)
	loops := t.Loop != nil && *t.Loop < len(t.Steps)
	for i, step := range t.Steps {
		if loops && i == *t.Loop {
			lines = append(lines, "r.Loop(func() {")
		}
		line, err := s.line(step)
		if err != nil {
			return nil, fmt.Errorf("step %d, %s: %s: %w", i+1, step.Actor, step.Action, err)
		}
		if line != "" {
			lines = append(lines, line)
		}
		if name := s.drawn(step); name != "" {
			lines = append(lines, fmt.Sprintf("r.Named(%q)", name))
		}
	}
	if loops {
		lines = append(lines, "})")
	}
	return lines, nil
}

// steps are the steps of one trace.
type steps struct {
	// reconciles are the actors that reconcile.
	reconciles map[string]bool
	// words are all that is named in it.
	words map[string]bool
	// draws: reconciles may draw names by themselves.
	draws bool
}

func newSteps(t *trace.Trace, draws bool) *steps {
	s := &steps{map[string]bool{}, map[string]bool{}, draws}
	for _, step := range t.Steps {
		if step.Action == "reconcile" {
			s.reconciles[step.Actor] = true
		}
		for _, word := range strings.Fields(step.Actor + " " + step.Action) {
			s.words[strings.TrimRight(word, ":")] = true
		}
	}
	return s
}

// drawn is the name of what a step creates, if it may have been drawn and the trace speaks of it.
func (s *steps) drawn(step trace.Step) string {
	actor := !s.reconciles[step.Actor]
	if !strings.HasPrefix(step.Action, "create ") || step.Actor == "user" {
		return ""
	}
	for _, c := range step.Changes {
		_, key, _ := strings.Cut(c.Object, " ")
		if c.Field == "object" && c.To != "deleted" && s.words[key] && (s.draws || strings.Contains(step.Action, "*") || actor && named.MatchString(key)) {
			return key[strings.LastIndexByte(key, '/')+1:]
		}
	}
	return ""
}

// named are names that kubestate drew.
var named = regexp.MustCompile(`x\d{4}$`)

// caches is how steps of caches begin, and lags how those of API servers do.
const (
	caches = "the cache of "
	lags   = "an API server falls behind: the cache of "
)

func (s *steps) line(step trace.Step) (string, error) {
	words := strings.Fields(step.Action)
	cache, ofCache := strings.CutPrefix(step.Action, caches)
	switch {
	case len(words) == 0:
		return "", errors.New("it says nothing")
	case s.reconciles[step.Actor]:
		return request(step, words)
	case step.Actor == "user" && len(words) >= 3:
		return user(words)
	case step.Actor == "somebody" && len(words) == 3:
		return remove(words), nil
	case step.Actor == "network":
		return network(step.Action), nil
	case step.Action == "is killed, and begins again with older lists":
		return fmt.Sprintf("r.KillToOlder(%q)", step.Actor), nil
	case strings.HasPrefix(step.Action, lags):
		return fmt.Sprintf("r.Lag(%q, %q)", step.Actor, strings.TrimPrefix(step.Action, lags)), nil
	case strings.HasPrefix(step.Action, "is killed"):
		return fmt.Sprintf("r.Kill(%q)", step.Actor), nil
	case ofCache:
		return cached(step.Actor, cache)
	}
	return cluster(step)
}

// cached is what becomes of a cache of a process.
func cached(process, action string) (string, error) {
	for _, does := range []struct{ ends, call string }{
		{" stops", "Stop"}, {" is listed anew", "Relist"}, {" is sent what happened so far", "Send"}, {" goes on by a part", "GoOnByPart"}, {" goes on, and hears what happened", "GoOn"}, {" goes on", "GoOn"},
	} {
		if title, ok := strings.CutSuffix(action, does.ends); ok {
			return fmt.Sprintf("r.%s(%q, %q)", does.call, process, title), nil
		}
	}
	if strings.HasSuffix(action, " is gone through again") {
		return "", errors.New("a resync cannot be had in an exported test, which has no clock: it is an assumption of the Config, Resync")
	}
	return "", errors.New("a cache does something that tests do not know of: they are written by a newer seatrial")
}

// cluster is what an actor of the environment does: its write is made by the test. What a garbage collector
// deletes is deleted, since the Config need not have it.
func cluster(step trace.Step) (string, error) {
	if step.Actor != "garbage collector" {
		return fmt.Sprintf("r.Act(%q, %q)", step.Actor, step.Action), nil
	}
	lines := []string{comment(step.Actor + ": " + step.Action)}
	for _, c := range step.Changes {
		if resource, key, _ := strings.Cut(c.Object, " "); c.Field == "object" && c.To == "deleted" {
			lines = append(lines, fmt.Sprintf("r.Delete(%q, %q)", resource, key))
		}
	}
	return strings.Join(lines, "\n\t"), nil
}

// comment is a text as a comment, in one line whatever is in it.
func comment(text string) string { return "// " + strings.Join(strings.Fields(text), " ") }

// network is what becomes of a request of a process that was killed.
func network(action string) string {
	if late, ok := strings.CutPrefix(action, "late: "); ok {
		return fmt.Sprintf("r.Late(%q)", asked(strings.Fields(late)))
	}
	return comment("network: " + action)
}

// user is what users do.
func user(words []string) (string, error) {
	index := 0
	if n := len(words); strings.HasPrefix(words[n-1], "(") {
		i, err := strconv.Atoi(strings.Trim(words[n-1], "()"))
		if err != nil || i < 1 {
			return "", errors.New("it does not say which of Desired")
		}
		index = i - 1
	}
	switch words[0] {
	case "create":
		return fmt.Sprintf("r.Create(%d)", index), nil
	case "change":
		return fmt.Sprintf("r.Change(%d)", index), nil
	case "delete":
		return remove(words), nil
	}
	return "", fmt.Errorf("users do not %s", words[0])
}

func remove(words []string) string { return fmt.Sprintf("r.Delete(%q, %q)", words[1], words[2]) }

// request is a reconcile that begins, or one of its requests, and what becomes of it.
func request(step trace.Step, words []string) (string, error) {
	switch {
	case step.Action == "reconcile":
		return fmt.Sprintf("r.Reconcile(%q)", step.Actor), nil
	case step.Action == "it is time to reconcile again":
		return "", nil
	case len(words) < 2:
		return "", errors.New("it does not say what is asked for")
	}
	answer, note := "Done", ""
	switch {
	case strings.HasSuffix(step.Action, ": takes effect and times out"):
		answer = "Lost"
	case strings.HasSuffix(step.Action, ": times out"):
		answer = "Failed"
	case !ofSystem(words) && strings.Contains(step.Action, ": stale"):
		note = " // stale"
	}
	return fmt.Sprintf("r.Next(%q, %q, regression.%s)%s", step.Actor, asked(words), answer, note), nil
}

// ofSystem tells whether a request is one to a settle.System, which begins with its name: "cloud: {…}".
func ofSystem(words []string) bool { return strings.HasSuffix(words[0], ":") }

// asked is a request as tests name it: a verb and a resource, or the name of a System.
func asked(words []string) string {
	if ofSystem(words) {
		return strings.TrimSuffix(words[0], ":")
	}
	ask := words[0] + " " + strings.TrimSuffix(words[1], ":")
	if len(words) > 2 {
		object := strings.TrimSuffix(words[2], ":")
		if i := strings.LastIndexByte(object, '/'); i >= 0 && (object[i:] == "/status" || object[i:] == "/scale") {
			ask += object[i:]
		}
	}
	return ask
}
