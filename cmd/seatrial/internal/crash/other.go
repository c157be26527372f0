package crash

import (
	"regexp"
	"slices"
	"strings"
)

// wrong are the kinds of exceptions that say that a program is wrong, whoever caught them, without
// their packages.
var wrong = []string{
	// Java
	"NullPointerException", "ClassCastException", "IndexOutOfBoundsException", "ArrayIndexOutOfBoundsException",
	"StringIndexOutOfBoundsException", "ArithmeticException", "ArrayStoreException", "NegativeArraySizeException",
	"ConcurrentModificationException", "NoSuchElementException", "StackOverflowError", "OutOfMemoryError",
	"NoClassDefFoundError", "NoSuchMethodError", "NoSuchFieldError", "ExceptionInInitializerError", "AssertionError",
	// Python
	"AttributeError", "TypeError", "KeyError", "IndexError", "NameError", "UnboundLocalError", "ZeroDivisionError",
	"RecursionError", "NotImplementedError", "MemoryError",
	// JavaScript
	"ReferenceError", "RangeError",
	// .NET
	"NullReferenceException", "InvalidCastException", "IndexOutOfRangeException", "ArgumentNullException",
	"DivideByZeroException", "KeyNotFoundException",
}

// programming says of an exception, "package.Kind: text", that its kind says that the program is wrong.
func programming(message string) bool {
	kind, _, _ := strings.Cut(message, ":")
	kind, _, _ = strings.Cut(strings.TrimSpace(kind), " ")
	return slices.Contains(wrong, kind[strings.LastIndexByte(kind, '.')+1:])
}

var (
	rustNew   = regexp.MustCompile(`^thread '([^']*)'(?: \(\d+\))? panicked at ([^']\S*:\d+):\d+:$`)
	rustOld   = regexp.MustCompile(`^thread '([^']*)'(?: \(\d+\))? panicked at '(.*)', (\S+:\d+):\d+$`)
	rustDeep  = regexp.MustCompile(`^thread '([^']*)'(?: \(\d+\))? has overflowed its stack$`)
	rustFrame = regexp.MustCompile(`^ *\d+: +(?:0x[0-9a-f]+ - )?(\S.*)$`)
	rustPlace = regexp.MustCompile(`^ +at (\S.*:\d+):\d+$`)
	rustOwn   = regexp.MustCompile(`/rustc/[0-9a-f]+/`)
)

// rustPanic has its place in the first line; a stack only if RUST_BACKTRACE asks for it.
func rustPanic(lines []string, at int) (Crash, int) {
	c := Crash{Kind: "rust panic"}
	next := at + 1
	place := ""
	if m := rustNew.FindStringSubmatch(lines[at]); m != nil && next < len(lines) {
		c.Message, place = lines[next], m[2]
		next++
	} else if m := rustOld.FindStringSubmatch(lines[at]); m != nil {
		c.Message, place = m[2], m[3]
	} else if rustDeep.MatchString(lines[at]) {
		c.Message = "stack overflow"
		return c, 1
	} else {
		return c, 0
	}
	begin := slices.Index(lines[next:min(len(lines), next+aheadMax)], "stack backtrace:")
	if begin < 0 {
		c.Frames = []string{place}
		return c, next - at
	}
	for next += begin + 1; next < len(lines); next++ {
		if m := rustPlace.FindStringSubmatch(lines[next]); m != nil && len(c.Frames) > 0 {
			c.Frames[len(c.Frames)-1] += " (" + rustOwn.ReplaceAllString(m[1], "/rustc/") + ")"
		} else if m := rustFrame.FindStringSubmatch(lines[next]); m != nil {
			c.Frames = append(c.Frames, m[1])
		} else {
			break
		}
	}
	// Above what was written by others than Rust's own is how it panics.
	if own := slices.IndexFunc(c.Frames, func(f string) bool { return !strings.Contains(f, "(/rustc/") }); own > 0 {
		c.Frames = c.Frames[own:]
	}
	return c, next - at
}

var (
	pythonFirst  = regexp.MustCompile(`^Traceback \(most recent call last\):$`)
	pythonGroup  = regexp.MustCompile(`^  \+ Exception Group Traceback \(most recent call last\):$`)
	pythonFrame  = regexp.MustCompile(`^ +(?:\| +)?File "([^"]*)", line (\d+)(?:, in (.*))?$`)
	pythonLast   = regexp.MustCompile(`^(?:  \| )?([A-Za-z_][\w.]*)(?:: .*)?$`)
	pythonLinked = []string{
		"The above exception was the direct cause of the following exception:",
		"During handling of the above exception, another exception occurred:",
	}
	// logged is a line that says what follows it was caught; loose is one that says that nobody did.
	logged = regexp.MustCompile(`(?i)\b(error|warn|warning|critical|severe|exception|failed|failure|fatal)\b`)
	loose  = regexp.MustCompile(`Exception in thread |(?i)never retrieved|exception in callback|unhandled|uncaught`)
)

// looseBefore are the lines before a stack that may say where it comes from.
const looseBefore = 3

// caught says of a stack at a line that it follows a line that logs an error.
func caught(lines []string, at int) bool {
	for _, line := range lines[max(0, at-looseBefore):at] {
		if loose.MatchString(line) {
			return false
		}
	}
	return at > 0 && logged.MatchString(lines[at-1])
}

// pythonException is a traceback, with those of the exceptions that led to it before it.
func pythonException(lines []string, at int) (Crash, int) {
	c := Crash{Kind: "python exception"}
	if !pythonFirst.MatchString(lines[at]) && !pythonGroup.MatchString(lines[at]) {
		return c, 0
	}
	i := at + 1
	for ; i < len(lines); i++ {
		line := lines[i]
		if m := pythonFrame.FindStringSubmatch(line); m != nil {
			c.Frames = append(c.Frames, strings.TrimSpace(m[3]+" ("+m[1]+":"+m[2]+")"))
			continue
		}
		if m := pythonLast.FindStringSubmatch(line); m != nil {
			c.Message = strings.TrimPrefix(line, "  | ")
			if next := linked(lines, i+1); next > 0 {
				c.Frames, i = nil, next
				continue
			}
			break
		}
		if !strings.HasPrefix(line, " ") {
			return c, 0 // something else came between
		}
	}
	if c.Message == "" {
		return c, 0
	}
	slices.Reverse(c.Frames)
	if c.Caught = caught(lines, at); c.Caught && !programming(c.Message) {
		return Crash{}, i + 1 - at
	}
	return c, i + 1 - at
}

// linked is the line of the traceback that follows from the one before, 0 if none does.
func linked(lines []string, from int) int {
	if from+2 < len(lines) && lines[from] == "" && slices.Contains(pythonLinked, lines[from+1]) {
		for i := from + 2; i < min(len(lines), from+4); i++ {
			if pythonFirst.MatchString(lines[i]) {
				return i
			}
		}
	}
	return 0
}

// pythonFatal is what the interpreter says of itself.
func pythonFatal(lines []string, at int) (Crash, int) {
	text, ok := strings.CutPrefix(lines[at], "Fatal Python error: ")
	if !ok {
		return Crash{}, 0
	}
	c := Crash{Kind: "python fatal error", Message: text}
	for i := at + 1; i < min(len(lines), at+framesMax); i++ {
		if m := pythonFrame.FindStringSubmatch(strings.Replace(lines[i], " in ", ", in ", 1)); m != nil {
			c.Frames = append(c.Frames, m[3]+" ("+m[1]+":"+m[2]+")") // the innermost is first here
		} else if len(c.Frames) > 0 {
			return c, i - at
		}
	}
	return c, 1
}

var (
	javaLoose = regexp.MustCompile(`^Exception in thread "[^"]*" (.*)$`)
	javaFirst = regexp.MustCompile(`^((?:[a-zA-Z_$][\w$]*\.)+[A-Z][\w$]*(?:: .*)?)$`)
	javaFrame = regexp.MustCompile(`^\s+at (?:[\w.@-]+/)*([\w$.<>]+\([^()]*\))`)
	javaCause = regexp.MustCompile(`^\s*(?:Caused by|Suppressed): (.*)$`)
	javaMore  = regexp.MustCompile(`^\s+\.\.\. \d+ (?:more|common frames omitted)$`)
)

// javaException is one of the JVM's languages.
func javaException(lines []string, at int) (Crash, int) {
	c := Crash{Kind: "java exception"}
	if m := javaLoose.FindStringSubmatch(lines[at]); m != nil {
		c.Message = m[1]
	} else if m := javaFirst.FindStringSubmatch(lines[at]); m != nil {
		c.Message, c.Caught = m[1], true
	} else {
		return c, 0
	}
	wrongs, first, i := programming(c.Message), true, at+1
	for ; i < len(lines); i++ {
		if m := javaFrame.FindStringSubmatch(lines[i]); m != nil {
			if first {
				c.Frames = append(c.Frames, m[1])
			}
		} else if m := javaCause.FindStringSubmatch(lines[i]); m != nil {
			first, wrongs = false, wrongs || programming(m[1])
		} else if !javaMore.MatchString(lines[i]) {
			break
		}
	}
	if len(c.Frames) == 0 && c.Caught {
		return c, 0
	}
	if c.Caught && !wrongs {
		return Crash{}, i - at
	}
	return c, i - at
}

// javaFatal is what a JVM says when it is at fault itself.
func javaFatal(lines []string, at int) (Crash, int) {
	if lines[at] != "# A fatal error has been detected by the Java Runtime Environment:" {
		return Crash{}, 0
	}
	c := Crash{Kind: "java fatal error", Message: "the JVM crashed"}
	for _, line := range lines[at+1 : min(len(lines), at+aheadMax)] {
		if text := strings.TrimSpace(strings.TrimPrefix(line, "#")); strings.HasPrefix(text, "SIG") || strings.HasPrefix(text, "Internal Error") {
			c.Message, _, _ = strings.Cut(text, ", pid=")
			break
		}
	}
	return c, 1
}

var (
	dotnetFirst = regexp.MustCompile(`^Unhandled exception\. (\S.*)$`)
	dotnetFrame = regexp.MustCompile(`^   at (.*?)(?: in (.*):line (\d+))?$`)
)

// dotnetException ends a .NET program.
func dotnetException(lines []string, at int) (Crash, int) {
	m := dotnetFirst.FindStringSubmatch(lines[at])
	if m == nil {
		return Crash{}, 0
	}
	c := Crash{Kind: ".net exception", Message: m[1]}
	i := at + 1
	for ; i < len(lines); i++ {
		f := dotnetFrame.FindStringSubmatch(lines[i])
		if f == nil {
			break
		}
		if f[2] != "" {
			f[1] += " (" + f[2] + ":" + f[3] + ")"
		}
		c.Frames = append(c.Frames, f[1])
	}
	return c, i - at
}

var (
	nodeFirst = regexp.MustCompile(`\b((?:[A-Z]\w*)?(?:Error|Exception|Rejection)(?: \[\w+\])?(?:: .*)?)$`)
	nodeFrame = regexp.MustCompile(`^    at (.*?)(?::\d+)?(\))?(?: \{)?$`)
	nodeCaret = regexp.MustCompile(`^\s*\^+\s*$`)
	nodeLoose = regexp.MustCompile(`^(?:\(node:\d+\) )?(?:UnhandledPromiseRejection|Uncaught )`)
)

// nodeException is a JavaScript error with its stack. One that ends the program comes
// after the line of source where it was thrown, with a caret below.
func nodeException(lines []string, at int) (Crash, int) {
	m := nodeFirst.FindStringSubmatch(lines[at])
	free := nodeLoose.MatchString(lines[at])
	if m == nil && !free || at+1 >= len(lines) || !nodeFrame.MatchString(lines[at+1]) {
		return Crash{}, 0
	}
	c := Crash{Kind: "node exception", Caught: true, Message: lines[at]}
	if m != nil {
		c.Message = m[1]
	}
	for _, before := range lines[max(0, at-2):at] {
		free = free || nodeCaret.MatchString(before)
	}
	i := at + 1
	for ; i < len(lines); i++ {
		f := nodeFrame.FindStringSubmatch(lines[i])
		if f == nil {
			break
		}
		c.Frames = append(c.Frames, f[1]+f[2])
	}
	if c.Caught = !free; c.Caught && !programming(c.Message) {
		return Crash{}, i - at
	}
	return c, i - at
}

// nodeFatal is what V8 says when it has no memory left.
func nodeFatal(lines []string, at int) (Crash, int) {
	text, ok := strings.CutPrefix(lines[at], "FATAL ERROR: ")
	if !ok || !strings.Contains(text, "heap") {
		return Crash{}, 0
	}
	return Crash{Kind: "node fatal error", Message: text}, 1
}
