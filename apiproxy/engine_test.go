package apiproxy_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seatrial/seatrial/apiproxy"
)

var update = flag.Bool("update", false, "write what is printed into the transcripts")

// TestEngine runs the files in testdata/engine. Lines that begin with > are what
// the line before them brings about, # is a comment, and the commands are in
// session.run.
func TestEngine(t *testing.T) {
	files, err := filepath.Glob("testdata/engine/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			synctest.Test(t, func(t *testing.T) { got = play(t, string(text)) })
			if got == string(text) {
				return
			}
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			t.Errorf("got:\n%s\nwant:\n%s\n(-update writes it)", got, text)
		})
	}
}

func play(t *testing.T, text string) string {
	s := newSession(t)
	defer s.close()
	var got strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if strings.HasPrefix(line, ">") {
			continue
		}
		fmt.Fprintln(&got, line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		s.run(line)
		synctest.Wait()
		lines := s.printed()
		if line == "kill" { // everything ends at once
			slices.Sort(lines)
		}
		for _, printed := range lines {
			fmt.Fprintln(&got, strings.TrimRight("> "+printed, " "))
		}
	}
	return got.String()
}

// session is one transcript: a fake API server, an engine, and an incarnation.
type session struct {
	t           *testing.T
	fake        *fakeServer
	options     apiproxy.EngineOptions
	engine      *apiproxy.Engine
	incarnation *apiproxy.Incarnation
	ctx         context.Context
	cancel      context.CancelFunc
	cancels     map[string]context.CancelFunc
	quiet       bool // records are not printed

	mu            sync.Mutex
	lines         []string
	before, after string
	answers       chan string
}

func newSession(t *testing.T) *session {
	s := &session{t: t, fake: newFake(), cancels: map[string]context.CancelFunc{}, answers: make(chan string)}
	s.ctx, s.cancel = context.WithCancel(t.Context())
	s.options = apiproxy.EngineOptions{
		Actor:  "operator",
		Before: s.ask("before", &s.before), After: s.ask("after", &s.after),
		Record: func(r apiproxy.Record) {
			if !s.quiet {
				s.print(r.String())
			}
		},
	}
	s.start()
	return s
}

func (s *session) start() {
	s.engine = apiproxy.NewEngine(s.options)
	s.incarnation = s.engine.Incarnation("first")
}

func (s *session) close() {
	s.cancel()
	s.incarnation.Kill()
	synctest.Wait()
}

func (s *session) print(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, line)
}

// printed is what has been printed since the last time, by whom it is about: what
// several goroutines do at once has no order.
func (s *session) printed() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := s.lines
	s.lines = nil
	slices.SortStableFunc(lines, func(a, b string) int {
		first, _, _ := strings.Cut(a, ":")
		second, _, _ := strings.Cut(b, ":")
		return strings.Compare(first, second)
	})
	return lines
}

// ask answers as the transcript has said last; wait means that it will.
func (s *session) ask(when string, decided *string) func(context.Context, *apiproxy.Exchange) apiproxy.Answer {
	return func(ctx context.Context, x *apiproxy.Exchange) apiproxy.Answer {
		s.mu.Lock()
		answer := *decided
		s.mu.Unlock()
		if answer == "" {
			return apiproxy.Pass
		}
		s.print(fmt.Sprintf("%s: %s%s", when, x, conditions(x)))
		if answer == "wait" {
			select {
			case answer = <-s.answers:
			case <-ctx.Done():
				return apiproxy.Pass
			}
		}
		if answer == "kill" {
			s.incarnation.Kill()
		}
		return answerOf(answer)
	}
}

func conditions(x *apiproxy.Exchange) string {
	text := ""
	for _, c := range []struct{ name, value string }{
		{"revision", x.BodyRevision},
		{"uid", x.BodyUID},
		{"if-revision", x.PreconditionRevision},
		{"if-uid", x.PreconditionUID},
		{"propagation", x.Propagation},
		{"generate", x.GenerateName},
		{"of", x.UID},
	} {
		if c.value != "" {
			text += " " + c.name + "=" + c.value
		}
	}
	if x.Apply {
		text += " apply"
	}
	if x.Conditional() {
		text += " conditional"
	}
	return text
}

func answerOf(text string) apiproxy.Answer {
	words := append(strings.Fields(text), "", "", "")
	switch words[0] {
	case "lose":
		return apiproxy.Lose
	case "refuse":
		code := 0
		_, _ = fmt.Sscan(words[1], &code)
		after, _ := time.ParseDuration(words[3])
		return apiproxy.Refuse(code, words[2], after)
	}
	return apiproxy.Pass
}

// run does one command.
func (s *session) run(line string) {
	command, rest, _ := strings.Cut(line, " ")
	words := strings.Fields(rest)
	number := func(n int) (value int64) {
		if n < len(words) {
			_, _ = fmt.Sscan(words[n], &value)
		}
		return value
	}
	switch command {
	case "server": // server create RESOURCE KEY | bookmark | end | keep | go
		s.server(words)
	case "saw": // what the API server saw
		for _, request := range s.fake.saw() {
			s.print(request)
		}
	case "send": // send NAME METHOD PATH [BODY]: a request, in the background
		s.send(rest)
	case "cancel": // cancel NAME: the client gives up
		s.cancels[rest]()
	case "reached":
		s.engine.Reached(number(0))
	case "limit": // limit RESOURCE REVISION; * is for all
		s.incarnation.Limit(strings.Trim(words[0], "*"), number(1))
	case "lift": // lift RESOURCE deliver|relist
		how := apiproxy.Deliver
		if words[1] == "relist" {
			how = apiproxy.Relist
		}
		s.incarnation.Lift(strings.Trim(words[0], "*"), how)
	case "kill":
		s.incarnation.Kill()
	case "incarnation": // the client's from now on
		s.incarnation = s.engine.Incarnation(rest)
	case "before", "after": // what is answered from now on: pass, lose, refuse CODE [REASON [RETRY]], kill, wait
		s.mu.Lock()
		*map[string]*string{"before": &s.before, "after": &s.after}[command] = rest
		s.mu.Unlock()
	case "answer": // to the question that waits
		s.answers <- rest
	case "old-lists":
		s.options.OldLists = true
		s.start()
	case "quiet": // no records from now on
		s.quiet = true
	case "wait": // time passes
		duration, err := time.ParseDuration(rest)
		if err != nil {
			s.t.Fatal(err)
		}
		time.Sleep(duration)
	case "activity":
		a := s.incarnation.Activity()
		s.print(fmt.Sprintf("in flight %d, parked %d", a.InFlight, a.Parked))
		for _, stream := range a.Streams {
			s.print(fmt.Sprintf("%d %s %q delivered %d, pending %d, held %v", stream.Stream, stream.Resource, stream.Namespace, stream.Delivered, stream.Pending, stream.Held))
		}
	default:
		s.t.Fatalf("no such command: %s", line)
	}
}

func (s *session) server(words []string) {
	switch words[0] {
	case "bookmark":
		s.fake.poke(&s.fake.marks)
	case "end":
		s.fake.poke(&s.fake.ended)
	case "keep":
		s.fake.keep = make(chan struct{})
	case "go":
		close(s.fake.keep)
		s.fake.keep = nil
	default:
		s.print(fmt.Sprintf("@%d", s.fake.do(words[0], words[1], words[2])))
	}
}

// send sends a request; headers are in braces in front of the method:
// send a {Accept: x} GET /path.
func (s *session) send(rest string) {
	name, rest, _ := strings.Cut(rest, " ")
	header := http.Header{}
	for strings.HasPrefix(rest, "{") {
		one, left, _ := strings.Cut(rest[1:], "} ")
		key, value, _ := strings.Cut(one, ": ")
		header.Set(key, value)
		rest = left
	}
	method, rest, _ := strings.Cut(rest, " ")
	path, body, _ := strings.Cut(rest, " ")
	body = strings.NewReplacer(`\0`, "\x00", `\n`, "\n").Replace(body)
	ctx, cancel := context.WithCancel(s.ctx)
	s.cancels[name] = cancel
	req, err := http.NewRequestWithContext(ctx, method, "http://plane"+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header = header
	if body != "" {
		req.Body = io.NopCloser(strings.NewReader(body))
	}
	through := s.incarnation.RoundTripper(direct{s.fake})
	go func() {
		response, err := through.RoundTrip(req)
		if err != nil {
			s.print(fmt.Sprintf("%s: error: %v", name, err))
			return
		}
		defer response.Body.Close()
		s.print(fmt.Sprintf("%s: %d%s", name, response.StatusCode, retryAfter(response)))
		lines := bufio.NewReader(response.Body)
		for {
			line, err := lines.ReadString('\n')
			if line != "" {
				s.print(name + ": " + summary(line))
			}
			if err != nil {
				s.print(fmt.Sprintf("%s: end: %v", name, err))
				return
			}
		}
	}()
}

func retryAfter(response *http.Response) string {
	if after := response.Header.Get("Retry-After"); after != "" {
		return " retry after " + after
	}
	return ""
}

// summary is an object, a list, a Status or an event in few words.
func summary(line string) string {
	var v struct {
		fakeObject
		Type, Reason, Message string
		Object                json.RawMessage
		Items                 []fakeObject
		Details               struct{ UID string }
	}
	if json.Unmarshal([]byte(line), &v) != nil {
		return strings.TrimSpace(line)
	}
	switch {
	case v.Type != "":
		return v.Type + " " + summary(string(v.Object))
	case v.Kind == "Status":
		return strings.TrimSpace(strings.Join([]string{"Status", v.Reason, v.Message, v.Details.UID}, " "))
	case strings.HasSuffix(v.Kind, "List"):
		text := "list @" + v.Metadata.ResourceVersion
		for _, o := range v.Items {
			text += " " + o.Metadata.Name + "@" + o.Metadata.ResourceVersion
		}
		return text
	}
	return strings.TrimSpace(v.Kind + " " + v.Metadata.Name + "@" + v.Metadata.ResourceVersion)
}
