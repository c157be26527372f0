package instrument

// The packages by which tests run.
const testing, testdeps = "testing", "testing/internal/testdeps"

// Of the package testing it is learned which of several tests in one process is at work, and what each asks of the
// system.
func init() {
	register(library{path: testing, source: "testing", own: true, patches: []patch{
		{function: "tRunner", insert: "seatrialTest(&t.common); "},
		{function: "fRunner", insert: "seatrialTest(&f.common); "},
		{function: "runExample", insert: "defer seatrialExample(&eg, &ok)(); "},
	}})
	register(library{path: testdeps, source: "testdeps", own: true, patches: []patch{
		{receiver: "testLog", function: "add", insert: "seatrialAsked(op, name); "},
	}})
}
