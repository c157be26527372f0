package oracle

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// unreached are the words by which programs say that they got nowhere, by what they wanted of pods: those of
// the API server and of the libraries of several languages.
var unreached = map[string]*regexp.Regexp{
	"exec": regexp.MustCompile(`(?i)\bexec\b|unable to upgrade connection|error dialing backend|websocket: bad handshake|command terminated|(executing|running|run|execute) (a |the )?command`),
	"tcp":  regexp.MustCompile(`(?i)\bdial (tcp|udp)\b|connection (refused|timed out|reset)|no such host|i/o timeout|no route to host|network is unreachable|context deadline exceeded|(failed|unable) to connect|could not connect|cannot connect|ECONNREFUSED|ETIMEDOUT|ConnectException|UnknownHostException`),
}

func init() {
	mask(Mask{
		Name:   "unreachable",
		Reason: "the resource's status says that a pod does not answer as the campaign's file says that none does (unreachable)",
		change: func(v *view, d *history.Difference, ch history.Change) bool {
			if d.Key != v.c.Key || len(v.c.Unreachable) == 0 || !strings.HasPrefix(ch.Path, "status") {
				return false
			}
			if v.c.blocked() {
				return true // it did not come to write the rest
			}
			return v.c.unreached(spoken(v.want.state[d.Key], ch.Path, ch.From)) || v.c.unreached(spoken(v.got.state[d.Key], ch.Path, ch.To))
		},
	})
}

var (
	// execFails and tcpFails are those of the words that are of nothing else; the first are a plane's own.
	execFails = regexp.MustCompile(`(?i)this control plane has no machines|unable to upgrade connection|error dialing backend|websocket: bad handshake|command terminated`)
	tcpFails  = regexp.MustCompile(`(?i)\bdial (?:tcp|udp)\b|\bno such host\b|ECONNREFUSED|ConnectException|UnknownHostException`)
	// loopback is where no pod is, but the API server of a plane may be.
	loopback = regexp.MustCompile(`\b127\.[0-9.]+|\blocalhost\b|\[::1\]`)
	// addresses are those that a line has, and inCluster is how names of Services end.
	addresses = regexp.MustCompile(`\b[0-9]{1,3}(?:\.[0-9]{1,3}){3}\b`)
	inCluster = regexp.MustCompile(`[a-z0-9]\.svc(?:\.|:|/|\b)`)
)

// Unreached are what the operator says behind a step that it does not get of pods, with what it says of each, in words
// that leave no doubt: or as trouble at the address of a pod or a Service. What the status of the resource says counts,
// too.
func Unreached(s *Step, resource history.Key) map[string]string {
	known := map[string]bool{}
	for _, key := range s.End.Keys() {
		known[s.End[key].Text("status", "podIP")], known[s.End[key].Text("spec", "clusterIP")] = true, true
	}
	named := func(line string) []int {
		for _, at := range addresses.FindAllStringIndex(line, -1) {
			if known[line[at[0]:at[1]]] {
				return at
			}
		}
		return inCluster.FindStringIndex(line)
	}
	all := map[string]string{}
	for _, line := range append(lines(s.Output), remarks(s.End, resource)...) {
		what, at := "exec", execFails.FindStringIndex(line)
		if at == nil && !loopback.MatchString(line) {
			what, at = "tcp", tcpFails.FindStringIndex(line)
		}
		if at == nil && troubled(line) {
			what, at = "tcp", named(line)
		}
		if _, known := all[what]; at != nil && !known {
			all[what] = around(line, at)
		}
	}
	return all
}

// around is a part of a line of which more is said than anybody reads.
func around(line string, at []int) string {
	const most = 80
	from, to, before, behind := at[0]-most, at[1]+most, "…", "…"
	if from <= 0 {
		from, before = 0, ""
	}
	if to >= len(line) {
		to, behind = len(line), ""
	}
	return before + strings.ToValidUTF8(line[from:to], "") + behind
}

// unreached tells whether a text is about what cannot be reached here, as the user says.
func (c *Case) unreached(text string) bool {
	return slices.ContainsFunc(c.Unreachable, func(what string) bool { return unreached[what] != nil && unreached[what].MatchString(text) })
}

// blocked tells whether the operator has said in the run that it cannot reach what it wants: it need not say so behind
// each step.
func (c *Case) blocked() bool {
	return slices.ContainsFunc(c.Steps, func(s *Step) bool { return c.unreached(s.Output) })
}

// Waits tells whether the operator says behind the last step that it cannot reach what it wants, and wants nothing of
// the kind for the seed, nor for the twin: it is in the middle of something that does not go on here.
func (c *Case) Waits() bool {
	return !c.Dials && c.Tries(c.Last()) && !c.Tries(c.Steps[0]) && (c.Twin == nil || !c.Tries(c.Twin))
}

// Tries tells whether the operator says behind a step that it cannot reach what it wants.
func (c *Case) Tries(s *Step) bool { return c.unreached(s.Output) }

// spoken is what is said at a place of a status: the words of the condition that it is in, or the text
// itself.
func spoken(o history.Object, path string, value any) string {
	for _, c := range conditions(o) {
		if strings.HasPrefix(path, "status.conditions["+c.kind+"]") {
			return c.reason + " " + c.message
		}
	}
	text, _ := value.(string)
	return text
}
