// Package crash reads what a program printed, and how its processes ended: whether it says
// itself that it is wrong, in Go, Java, Python, Rust, Node and .NET. Oracles of perturbations and of
// campaigns have it.
package crash

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Crash is a program's own statement, in what it prints, that it is wrong: it panicked, or an
// exception went where nobody had thought of it. An error that is logged, with a stack
// trace or without, is not one.
type Crash struct {
	// Kind is the language and what it calls this: "go panic", "go fatal error", "java exception",
	// "java fatal error", "python exception", "python fatal error", "rust panic",
	// "node exception", "node fatal error", ".net exception".
	Kind string
	// Message is the first line, without times, addresses and ids.
	Message string
	// Frames are functions and their places, the innermost first, without
	// addresses and arguments; at most framesMax.
	Frames []string
	// Caught says that the program went on, as far as its output tells.
	Caught bool
	// Line is the index of the first line of the first one, and Count how many there
	// are that are equal but for numbers.
	Line, Count int
}

const (
	// framesMax is how much of a stack is kept, and framesCompared how much two that are
	// equal have in common: a deep recursion ends in different depths.
	framesMax      = 40
	framesCompared = 10
	// aheadMax is how many lines of others may be within a crash's own first ones.
	aheadMax = 20
	// depthMax is how deep texts are looked for inside fields of texts.
	depthMax = 3
)

// Key is equal for crashes that are the same but for numbers in the message.
func (c Crash) Key() string {
	return fmt.Sprintf("%s\n%t\n%s\n%s", c.Kind, c.Caught, digits.ReplaceAllString(c.Message, "#"),
		strings.Join(c.Frames[:min(len(c.Frames), framesCompared)], "\n"))
}

// programmed are what runtimes say of a program that does what no program may: it dereferences nil, or two of its
// threads change a map at once.
var programmed = regexp.MustCompile(`runtime error: |assignment to entry in nil map|(send on|close of) (closed|nil) channel|interface conversion: ` +
	`|concurrent map |all goroutines are asleep|stack overflow|SIG(SEGV|BUS|FPE|ILL)|[Ss]egmentation fault` +
	`|index out of bounds|index .* out of range|Option::unwrap\(\)|attempt to .* (overflow|zero)|already (mutably )?borrowed`)

// memory are kinds of errors that depend on how much memory there is.
var memory = regexp.MustCompile(`OutOfMemory|MemoryError|out of memory|heap (limit|space)`)

// Certain tells that the program is wrong whatever the machine and others did: by a runtime's own words for it. A
// program that panics with words of its own, as for an answer that did not come, may do so by chance.
func (c Crash) Certain() bool {
	return (programmed.MatchString(c.Message) || programming(c.Message)) && !memory.MatchString(c.Message)
}

// String is the kind and the message.
func (c Crash) String() string { return c.Kind + ": " + c.Message }

// Find lists the crashes in the lines that a program printed, in any language, in the order of
// their first lines, each once.
//
// Go: panics and fatal errors with the stack of their goroutine; panics that were recovered
// and are logged ("Observed a panic", as controller-runtime and client-go say, or any stack
// of a goroutine that has the call of panic in it), as text, by klog, or in a field of JSON.
//
// Java, Python, Node, .NET: exceptions that nobody caught. Those that were caught and logged
// with their stack count only if their kind says that the program is wrong (a
// NullPointerException, a KeyError, a TypeError), as a nil dereference does in Go:
// others are how these languages say that a request failed.
//
// Rust: panics.
func Find(lines []string) []Crash {
	found := merged(recognise(lines, 0))
	var distinct []Crash
	at := map[string]int{}
	for _, c := range found {
		if i, known := at[c.Key()]; known {
			distinct[i].Count++
			continue
		}
		at[c.Key()] = len(distinct)
		c.Count = 1
		distinct = append(distinct, c)
	}
	return distinct
}

// merged leaves out panics that were logged and then went on to end the program, as
// client-go's HandleCrash has them.
func merged(found []Crash) []Crash {
	return slices.DeleteFunc(slices.Clone(found), func(c Crash) bool {
		return c.Caught && slices.ContainsFunc(found, func(d Crash) bool {
			return !d.Caught && d.Kind == c.Kind && d.Message == c.Message && d.Line > c.Line
		})
	})
}

// recogniser looks for a crash that begins at a line; it returns how many lines that takes,
// 0 if none does, and a Crash without a kind for lines that only look like one.
type recogniser func(lines []string, at int) (Crash, int)

var recognisers = []recogniser{goCrash, goLogged, rustPanic, pythonFatal, pythonException, javaFatal, javaException, dotnetException, nodeFatal, nodeException}

func recognise(lines []string, depth int) []Crash {
	var found []Crash
	for at := 0; at < len(lines); {
		if inside := insideJSON(lines[at], depth); len(inside) > 0 {
			for _, c := range inside {
				c.Line = at
				found = append(found, c)
			}
			at++
			continue
		}
		taken := 0
		for _, look := range recognisers {
			var c Crash
			if c, taken = look(lines, at); taken == 0 {
				continue
			}
			if c.Kind != "" {
				c.Line, c.Message = at, normal(c.Message)
				c.Frames = c.Frames[:min(len(c.Frames), framesMax)]
				found = append(found, c)
			}
			break
		}
		at += max(taken, 1)
	}
	return found
}

// insideJSON looks into the fields of a log line that is a JSON object, or ends in one. What is
// in there was caught by who logged it.
func insideJSON(line string, depth int) []Crash {
	start := strings.IndexByte(line, '{')
	if start < 0 || depth >= depthMax || !strings.HasSuffix(strings.TrimSpace(line), "}") || !strings.Contains(line, `\n`) {
		return nil
	}
	fields, ok := stringFields(line[start:])
	if !ok {
		return nil
	}
	var found []Crash
	for _, f := range fields {
		if !strings.Contains(f.value, "\n") {
			continue
		}
		for _, c := range recognise(strings.Split(f.value, "\n"), depth+1) {
			if !c.Caught && !goKind(c.Kind) && !programming(c.Message) {
				continue
			}
			if said := panicOf(fields); said != "" && goKind(c.Kind) {
				c.Message = normal(said)
			}
			c.Caught = true
			found = append(found, c)
		}
	}
	return found
}

type field struct{ name, value string }

// stringFields are all fields with text, of objects within too. A name may be there
// twice: zap writes its own stack trace beside one that it is given.
func stringFields(text string) ([]field, bool) {
	d := json.NewDecoder(strings.NewReader(text))
	var fields []field
	var names []string // of the objects that are open; "" where a name is next
	var lists []bool
	for {
		token, err := d.Token()
		if err != nil {
			return nil, false
		}
		top := len(names) - 1
		switch t := token.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				names, lists = append(names, ""), append(lists, t == '[')
				continue
			}
			names, lists = names[:top], lists[:top]
			if top == 0 {
				return fields, true
			}
			names[top-1] = ""
		case string:
			if top < 0 {
				return nil, false
			}
			if names[top] == "" && !lists[top] {
				names[top] = "." + t
				continue
			}
			fields = append(fields, field{strings.TrimPrefix(names[top], "."), t})
			names[top] = ""
		default:
			if top < 0 {
				return nil, false
			}
			names[top] = ""
		}
	}
}

// panicOf is the message of a logged panic beside its stack.
func panicOf(fields []field) string {
	for _, name := range []string{"panic", "error", "msg"} {
		for _, f := range fields {
			if f.name == name && f.value != "" && !strings.Contains(f.value, "\n") {
				return f.value
			}
		}
	}
	return ""
}

var (
	digits  = regexp.MustCompile(`[0-9]+`)
	address = regexp.MustCompile(`0x[0-9a-fA-F]+\??`)
	uuid    = regexp.MustCompile(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`)
	moment  = regexp.MustCompile(`\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:?\d\d)?`)
	// thread ids and klog's head: severity, day, time, process.
	heads    = regexp.MustCompile(`^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ `)
	loopback = regexp.MustCompile(`(127\.0\.0\.1|\[::1\]):\d+`)
)

// normal is a line without what differs from run to run.
func normal(line string) string {
	line = heads.ReplaceAllString(strings.TrimSpace(line), "")
	line = uuid.ReplaceAllString(line, "<uid>")
	line = moment.ReplaceAllString(line, "<time>")
	line = loopback.ReplaceAllString(line, "$1:<port>")
	return address.ReplaceAllString(line, "0x…")
}
