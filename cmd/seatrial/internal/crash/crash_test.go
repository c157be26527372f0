package crash_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/crash"
)

// outcomes are what real programs printed, in testdata, and what is recognised there:
// the line, how often, the crash, and where it happened.
var outcomes = map[string][]string{
	"go-panic":                 {"1 x1 go panic: assignment to entry in nil map @ main.(*widget).reconcile (/app/go1/main.go:4)"},
	"go-nil":                   {"0 x1 go panic: runtime error: invalid memory address or nil pointer dereference @ main.deref (/app/go3/main.go:4)"},
	"go-repanicked":            {"0 x1 go panic: runtime error: invalid memory address or nil pointer dereference @ main.deref (/app/go3/main.go:4)"},
	"go-two-lines":             {"0 x1 go panic: two @ main.main (/app/go3/main.go:5)"},
	"go-panic-in-panic":        {"0 x1 go panic: first @ main.main (/app/go3/main.go:5)"},
	"go-deadlock":              {"0 x1 go fatal error: all goroutines are asleep - deadlock! @ main.main (/app/go3/main.go:5)"},
	"go-concurrent-map-writes": {"0 x1 go fatal error: concurrent map writes @ internal/runtime/maps.fatal (runtime/panic.go:1181)"},
	"go-stack-overflow":        {"2 x1 go fatal error: stack overflow @ main.over (/app/go3/main.go:6)"},

	"controller-runtime-panic-zap-text": {"3 x2 go panic, caught: assignment to entry in nil map @ main.(*thing).Reconcile (/app/cr/main.go:33)"},
	"controller-runtime-panic-zap-json": {"3 x5 go panic, caught: assignment to entry in nil map @ main.(*thing).Reconcile (/app/cr/main.go:33)"},
	"controller-runtime-panic-klog":     {"3 x2 go panic, caught: assignment to entry in nil map @ main.(*thing).Reconcile (/app/cr/main.go:33)"},
	"controller-runtime-crash":          {"4 x1 go panic: assignment to entry in nil map @ main.(*thing).Reconcile (/app/cr/main.go:33)"},
	"client-go-panic-zap-text":          {"0 x1 go panic, caught: assignment to entry in nil map @ main.main.func1 (/app/cr/main.go:60)"},
	"client-go-panic-klog":              {"0 x1 go panic, caught: assignment to entry in nil map @ main.main.func1 (/app/cr/main.go:60)"},
	"controller-runtime-error-zap-text": nil, // each error with a stack trace
	"controller-runtime-error-zap-json": nil,
	"controller-runtime-error-klog":     nil,

	"java-main":           {"0 x1 java exception: java.lang.IllegalStateException: bad object @ J.get(J.java:2)"},
	"java-thread":         {"0 x1 java exception: java.lang.IllegalStateException: bad object @ J.get(J.java:2)"},
	"java-stack-overflow": {"0 x1 java exception: java.lang.StackOverflowError @ J.over(J.java:11)"},
	"java-out-of-memory":  {"0 x1 java exception: java.lang.OutOfMemoryError: Java heap space @ J.main(J.java:9)"},
	"java-logged":         nil,
	"java-printed":        nil,

	"python-crash":            {"0 x1 python exception: ValueError: bad object @ reconcile (/app/p.py:7)"},
	"python-thread":           {"1 x1 python exception: ValueError: bad object @ reconcile (/app/p.py:7)"},
	"python-task":             {"2 x1 python exception: ValueError: nobody asks @ work (/app/p2.py:7)"},
	"python-syntax":           {"0 x1 python exception: SyntaxError: invalid syntax @ (<string>:1)"},
	"python-group":            {"0 x1 python exception: ExceptionGroup: many (2 sub-exceptions) @ <module> (/app/p.py:19)"},
	"python-segfault":         {"0 x1 python fatal error: Segmentation fault @ string_at (/usr/lib/python3.11/ctypes/__init__.py:519)"},
	"python-logged-key-error": {"1 x1 python exception, caught: KeyError: 'spec' @ <module> (/app/p2.py:4)"},
	"python-logged":           nil,

	"rust-main":   {"1 x1 rust panic: called `Result::unwrap()` on an `Err` value: \"no\" @ r::main (./r.rs:2)"},
	"rust-thread": {"1 x1 rust panic: index out of bounds: the len is 1 but the index is 5 @ r::get (./r.rs:1)"},

	"node-throw":     {"4 x1 node exception: TypeError: bad object @ sync (/app/n.js:4)"},
	"node-rejection": {"4 x1 node exception: TypeError: Cannot read properties of undefined (reading 'replicas') @ Op.reconcile (/app/n.js:1)"},
	"node-rejection-of-text": {"4 x1 node exception: UnhandledPromiseRejection: This error originated either by throwing inside of an async function without a catch block, " +
		"or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason \"why\". @ throwUnhandledRejectionsMode (node:internal/process/promises:389)"},
	"node-warning": {"0 x1 node exception: TypeError: Cannot read properties of undefined (reading 'replicas') @ Op.reconcile (/app/n.js:1)"},
	"node-logged":  {"0 x1 node exception, caught: TypeError: Cannot read properties of undefined (reading 'replicas') @ Op.reconcile (/app/n.js:1)"},
}

func show(crashes []crash.Crash) []string {
	var shown []string
	for _, c := range crashes {
		kind := c.Kind
		if c.Caught {
			kind += ", caught"
		}
		line := fmt.Sprintf("%d x%d %s: %s", c.Line, c.Count, kind, c.Message)
		if len(c.Frames) > 0 {
			line += " @ " + c.Frames[0]
		}
		shown = append(shown, line)
	}
	return shown
}

func TestCrashesOfRealPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) != len(outcomes) {
		t.Fatalf("%d files for %d cases: %v", len(files), len(outcomes), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, known := outcomes[name]
			if got := show(crash.Find(strings.Split(string(text), "\n"))); !known || !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// TestCrashesOfLines are outputs of programs that are not at hand, or of nobody: lines
// that only look like a crash.
func TestCrashesOfLines(t *testing.T) {
	cases := []struct {
		name, output string
		want         []string
	}{
		{"nothing", "", nil},
		{"a log line that says panic", "panic: mode off\nstarting workers\n", nil},
		{"an error that quotes a panic", `E1122 controller.go:494] "Reconciler error" err="panic: boom [recovered]"`, nil},
		{"a frame alone", "\tat a.b.C(D.java:1)\nCaused by: java.lang.NullPointerException\n", nil},
		{"a goroutine dump that nobody panicked for", "goroutine 1 [running]:\nmain.main()\n\t/app/main.go:3 +0x1\n", nil},
		{"a stack trace of an error in JSON", `{"level":"error","msg":"Reconciler error","error":"x","stacktrace":"a/b.C\n\t/app/c.go:1\nmain.main\n\t/app/m.go:2"}`, nil},
		{"a field that is not closed", `{"msg":"Observed`, nil},
		{
			"an old klog", "E0101 12:00:00.000000       1 runtime.go:78] Observed a panic: runtime.boundsError{x:5} (runtime error: index out of range [5] with length 3)\n" +
				"goroutine 76 [running]:\nk8s.io/x.logPanic(0x1)\n\t/go/pkg/mod/k8s.io/x@v0.20.0/runtime.go:74 +0x95\npanic(0x2)\n\t/usr/local/go/src/runtime/panic.go:969 +0x1b9\nmain.sync(0xc0)\n\t/app/main.go:9 +0x2\n",
			[]string{"0 x1 go panic, caught: runtime error: index out of range [5] with length 3 @ main.sync (/app/main.go:9)"},
		},
		{"an old controller-runtime", `2021-03-01T00:00:00Z	INFO	Observed a panic in reconciler: boom	{"controller": "web"}`, []string{"0 x1 go panic, caught: boom"}},
		{
			"an HTTP server", "2026/01/02 03:04:05 http: panic serving 127.0.0.1:40112: boom\ngoroutine 7 [running]:\nnet/http.(*conn).serve.func1()\n\t/usr/local/go/src/net/http/server.go:1947 +0xbe\n" +
				"panic({0x1?, 0x2?})\n\t/usr/local/go/src/runtime/panic.go:792 +0x132\nmain.handle({0x3, 0x4}, 0x5)\n\t/app/main.go:7 +0x25\n",
			[]string{"1 x1 go panic, caught: <time> http: panic serving 127.0.0.1:<port>: boom @ main.handle (/app/main.go:7)"},
		},
		{
			"the same again with other numbers", "panic: index [5]\n\ngoroutine 7 [running]:\nmain.main(0x1)\n\t/a.go:1 +0x2\n\npanic: index [6]\n\ngoroutine 9 [running]:\nmain.main(0x3)\n\t/a.go:1 +0x2\n",
			[]string{"0 x2 go panic: index [5] @ main.main (/a.go:1)"},
		},
		{
			"a signal in C", "SIGSEGV: segmentation violation\nPC=0x7f m=0 sigcode=1\n\ngoroutine 1 [syscall]:\nruntime.cgocall(0x1)\n\t/usr/local/go/src/runtime/cgocall.go:157 +0x5c\n",
			[]string{"0 x1 go fatal error: SIGSEGV: segmentation violation @ runtime.cgocall (runtime/cgocall.go:157)"},
		},
		{
			"logged and then fatal", "E0101 12:00:00.000000 1 x.go:1] \"Observed a panic\" panic=\"boom\" stacktrace=<\n\tgoroutine 5 [running]:\n\tpanic(0x1)\n\t\t/usr/local/go/src/runtime/panic.go:1 +0x1\n\tmain.f()\n\t\t/a.go:1 +0x1\n >\n" +
				"panic: boom [recovered]\n\tpanic: boom\n\ngoroutine 5 [running]:\nmain.f()\n\t/a.go:1 +0x1\n",
			[]string{"7 x1 go panic: boom @ main.f (/a.go:1)"},
		},
		{
			"Java, logged, and wrong in its cause", "ERROR Error during event processing\nio.x.OperatorException: failed\n\tat io.x.A.b(A.java:1)\nCaused by: java.lang.NullPointerException: spec\n\tat W.r(W.java:2)\n\t... 3 more\n",
			[]string{"1 x1 java exception, caught: io.x.OperatorException: failed @ io.x.A.b(A.java:1)"},
		},
		{
			"Java in JSON", `{"level":"ERROR","message":"failed","stackTrace":"java.lang.NullPointerException: spec\n\tat W.r(W.java:2)\n"}`,
			[]string{"0 x1 java exception, caught: java.lang.NullPointerException: spec @ W.r(W.java:2)"},
		},
		{"Java in JSON, a request that failed", `{"level":"ERROR","stackTrace":"io.fabric8.KubernetesClientException: 409\n\tat W.r(W.java:2)\n"}`, nil},
		{
			"a JVM", "#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n#  SIGSEGV (0xb) at pc=0x00007f, pid=1, tid=2\n",
			[]string{"1 x1 java fatal error: SIGSEGV (0x…) at pc=0x…"},
		},
		{"Rust before 1.73", "thread 'main' panicked at 'no spec', src/main.rs:4:5\nnote: run with `RUST_BACKTRACE=1`\n", []string{"0 x1 rust panic: no spec @ src/main.rs:4"}},
		{"Rust without a stack", "thread 'tokio-runtime-worker' panicked at src/main.rs:4:5:\nno spec\nnote: run with `RUST_BACKTRACE=1`\n", []string{"0 x1 rust panic: no spec @ src/main.rs:4"}},
		{"Rust, deep", "\nthread 'main' has overflowed its stack\nfatal runtime error: stack overflow\n", []string{"1 x1 rust panic: stack overflow"}},
		{".NET", "Unhandled exception. System.NullReferenceException: Object reference\n   at Op.Run() in /app/Op.cs:line 9\n   at Main()\n", []string{"0 x1 .net exception: System.NullReferenceException: Object reference @ Op.Run() (/app/Op.cs:9)"}},
		{"V8 without memory", "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n", []string{"0 x1 node fatal error: Reached heap limit Allocation failed - JavaScript heap out of memory"}},
		{"Node, a request that failed", "reconcile failed HttpError: 409\n    at Request.x (/app/n.js:1:2)\n", nil},
		{"Node before 15", "(node:12) UnhandledPromiseRejectionWarning: Error: no\n    at f (/app/n.js:1:2)\n", []string{"0 x1 node exception: Error: no @ f (/app/n.js:1)"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := show(crash.Find(strings.Split(c.output, "\n"))); !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestCertain: what a runtime says of a program that is wrong is certain by one look; words of the program's own, and
// what depends on how much memory there is, are not.
func TestCertain(t *testing.T) {
	for file, want := range map[string]bool{
		"go-panic": true, "go-nil": true, "go-two-lines": false, "go-deadlock": true, "go-concurrent-map-writes": true, "go-stack-overflow": true,
		"controller-runtime-panic-zap-json": true, "java-main": false, "java-stack-overflow": true, "java-out-of-memory": false,
		"python-crash": false, "python-segfault": true, "python-logged-key-error": true, "rust-main": false, "rust-thread": true, "node-rejection": true,
	} {
		text, err := os.ReadFile(filepath.Join("testdata", file+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		if got := crash.Find(strings.Split(string(text), "\n"))[0]; got.Certain() != want {
			t.Errorf("%s: %s is %v", file, got, !want)
		}
	}
}

// FuzzCrashes: whatever a program prints, looking at it ends, and finds the same again.
func FuzzCrashes(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(`x {"a":{"b":["c\n",{"d":1}],"e":"goroutine 1 [running]:\npanic(1)\n\t/a.go:1\nb()\n\t/c.go:2"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		found := crash.Find(lines)
		for i, c := range found {
			if c.Kind == "" || c.Count < 1 || c.Line < 0 || c.Line >= len(lines) {
				t.Errorf("%+v", c)
			}
			if slices.ContainsFunc(found[:i], func(d crash.Crash) bool { return d.Key() == c.Key() }) {
				t.Errorf("twice: %s", c)
			}
		}
		if again := crash.Find(lines); !slices.Equal(show(found), show(again)) {
			t.Errorf("%q, and then %q", show(found), show(again))
		}
	})
}
