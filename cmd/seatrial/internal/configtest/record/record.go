// Package record is what is written between seatrial and a program that it has instrumented: the values
// that the program is to come to, and what it did with them. The instrumented copies of libraries and
// sources write it themselves, with nothing but the standard library; this is the other side.
//
// The environment variable SEATRIAL_CONFIGTEST names a folder that is this process's alone. In it,
//
//	inject  has a line for each value: a parameter, a tab, the value as a quoted text (strconv.Quote).
//	deployed has the same of the values that the old version has: a document of a test that is a copy of these is none of the test's own.
//	log     is appended to, one write for each line: a verb and what it is about, with tabs between.
//	crash-N has what the runtime of Go says when it ends process N; empty while it does not.
//
// A value to inject is text for flags and fields, with [Again] between the values of a flag that is given several
// times, and JSON for keys of viper and koanf. For a field:<type> the parameter is the type and the value a document
// with all the fields that are given, nested as files have them, in JSON. With [Spelt] behind it, it is a document with
// those that are to be given as they are written, as texts.
//
// An injected value stands where the last step of loading leaves values: above defaults and files of the
// program, below what a test says itself.
package record

import (
	"bufio"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// Variable names the folder in the environment of a process.
const Variable = "SEATRIAL_CONFIGTEST"

// The files in it.
const (
	InjectFile   = "inject"
	DeployedFile = "deployed"
	WholeFile    = "whole"
	LogFile      = "log"
	// KeepersFile has names of functions, a line each: that one of them is at work is noted. It is there where tests
	// share a process.
	KeepersFile = "keepers"
	crashFile   = "crash-" // and a process
)

// Verb is what happened.
type Verb string

// The verbs, with what stands behind them in a line.
const (
	// Read: parameter, value, site. The program or a test took the value, whoever gave it.
	Read Verb = "read"
	// Item: field of an item of a collection, value, site. It was taken from some item of that type. The place has
	// [Time] behind it, and a number, if the same value was taken there before.
	Item Verb = "item"
	// Set: parameter, value, by. Somebody gave it a value of his own: a test, or the program.
	Set Verb = "set"
	// Gave: parameter, value. The injected value was put in place.
	Gave Verb = "gave"
	// Hand: from, to, site. What the first says is what the second is told: they are one parameter. If the site is
	// known, that the first is read there is no more than that; if it is handed on to itself, it is only logged.
	Hand Verb = "hand"
	// Copied: carrier, value, site. A value that was read is only put into that field of the program's, and not used.
	// Carried: carrier, value, site. It was read there.
	Copied  Verb = "copied"
	Carried Verb = "carried"
	// Probe: variable. It was asked for in passing, and its value is nobody's parameter.
	Probe Verb = "probe"
	// Made: type, value, by. A value of a configuration type was made without the defaults of the program.
	Made Verb = "made"
	// Same: field of a configuration or of an item, or a carrier, a word or an amount, by. A test has written it there
	// by hand.
	Same Verb = "same"
	// Mark: parameter, nothing, site. The test says that it is about it; Only that it is about no others than those of
	// which it says something.
	Mark Verb = "mark"
	Only Verb = "only"
	// Optional: parameter, nothing, site. The test may be about it, in a way that is not seen.
	Optional Verb = "optional"
	// Patched: type, what Go calls it, by. A test has asked for values in a struct that it made: what it set there
	// before is no more its own. The type is empty if it is none that is known.
	Patched Verb = "patched"
	// Checked: validation:place, what it says is wrong. A function of the program looked at values; it says nothing if
	// they are right.
	Checked Verb = "checked"
	// Begin: test:name, changed if what the environment or the folder is another one than before the first test. End:
	// test:name, how it ended.
	Begin Verb = "begin"
	End   Verb = "end"
	// Left: parameter, nothing, site. A test found there what another one in its process had left, and not set back.
	Left Verb = "left"
	// Getenv and Open: a name, nothing, the folder of the process. Somebody asked the system.
	Getenv Verb = "getenv"
	Open   Verb = "open"
)

// Again stands between the values of a flag that is given several times. No argument of a process has it.
const Again = "\x00"

// Spelt stands behind a type whose document says how plain values of YAML, and dates of TOML, are written: a decoder of
// these may make something else of these than of what they are in JSON.
const Spelt = " spelt"

// DocumentOf is what the document of a type is known by that a process is to come to where a test has one of its own
// for the whole of it: it stands in the place of that.
func DocumentOf(root parameter.ID) parameter.ID { return root + " document" }

// SameAs is what a word that a test has written into a field by hand is known by: what it is to be instead.
func SameAs(field parameter.ID, word string) parameter.ID {
	return "same " + field + " " + parameter.ID(strconv.Quote(word))
}

// AmountOf is what a number, or a time, that a test has written into a field by hand is known by: which it is if it is
// a copy, and which it is to be instead.
func AmountOf(field parameter.ID) parameter.ID { return "amount " + field }

// OtherOf is what any number, or time, that a test has written into a field by hand is known by: which it is to be
// instead, whatever it is.
func OtherOf(field parameter.ID) parameter.ID { return "other " + field }

// OrderOf is what a list of structs that a test has written into a field by hand is known by, if it is a copy of what
// is deployed: in which order it is to be instead, with what its items say.
func OrderOf(field parameter.ID) parameter.ID { return "order " + field }

// ListOf is what a list that a test has written into a field by hand is known by, as JSON: what it is to be instead.
func ListOf(field parameter.ID, list string) parameter.ID {
	return "list " + field + " " + parameter.ID(list)
}

// CopyOf is what a variable or a flag is known by that a test may have set to what is deployed: what that is. It is to
// be as it is given then.
func CopyOf(id parameter.ID) parameter.ID { return "copy " + id }

// FiledOf is what a parameter is known by, among those of WholeFile, that is to be as it is given where a file of the
// test says it, and, of a variable or a flag, where its code does.
func FiledOf(id parameter.ID) parameter.ID { return "filed " + id }

// AliasOf is what a variable or a flag is known by that sets a parameter which is given by another name: what that is
// to be. It is for tests that set it so by themselves.
func AliasOf(id parameter.ID) parameter.ID { return "alias " + id }

// Test is by whom a value was set, where the code that did is in a file of tests.
const Test = "test"

// Unsure stands behind the place of something that may be about one of several parameters.
const Unsure = "?"

// Taken stands behind a place at which a map is taken as a whole: that shows of none of its keys that it is used. Where
// one is, an item of a map of that key is read.
const Taken = "*" + Unsure

// Time stands behind the place at which a field of an item is read, before the number of times that it had the value
// there.
const Time = "#"

// Event is a line of the log.
type Event struct {
	Verb    Verb
	Subject parameter.ID
	// Value is as %v prints it, cut as [Cut] does; the other identity for Hand.
	Value string
	// At is the place in the source of a read (file:line from the root of the module), and by whom of Set and Made. A ?
	// at its end says that it is about one of several fields of one type, and nobody knows which: it proves nothing. Of
	// Gave it is why the value was refused; empty if it was not.
	At string
	// Process and Label are whose it is, where several tests are in one process: all goroutines of a test have its
	// label. Keeper is a function that was at work, and that keeps what it makes for whoever comes later.
	Process, Label, Keeper string
}

// How long a value is in the log, and at least as much of one that is cut as is shown.
const (
	long  = 200
	shown = 180
)

// More is behind what is shown of a value that is cut, and before what tells it from others that begin alike.
const More = "…"

// Cut is a value as it is written: of a long one what comes first, but for a word that would be cut, and a digest of
// the whole.
func Cut(value string) string {
	if len(value) <= long {
		return value
	}
	begin := value[:shown]
	if end := strings.LastIndexAny(begin, " \t\n,;&"); end > 0 {
		begin = begin[:end]
	}
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(value))
	return begin + More + strconv.FormatUint(sum.Sum64(), 16)
}

// NoLabel is that of goroutines that are no test's.
const NoLabel = "0"

// WriteInject makes a folder ready for one process, with the values that it is to come to and those that are deployed.
// Those of whole stand above what tests set themselves.
func WriteInject(folder string, values, deployed map[parameter.ID]string, whole []parameter.ID) error {
	if len(whole) > 0 {
		var b strings.Builder
		for _, id := range whole {
			fmt.Fprintln(&b, id)
		}
		if err := os.WriteFile(filepath.Join(folder, WholeFile), []byte(b.String()), 0o600); err != nil {
			return err
		}
	}
	if len(deployed) > 0 {
		if err := writePairs(filepath.Join(folder, DeployedFile), deployed); err != nil {
			return err
		}
	}
	return writePairs(filepath.Join(folder, InjectFile), values)
}

func writePairs(file string, values map[parameter.ID]string) error {
	var b strings.Builder
	for _, id := range sorted(values) {
		fmt.Fprintf(&b, "%s\t%s\n", id, strconv.Quote(values[id]))
	}
	return os.WriteFile(file, []byte(b.String()), 0o600)
}

// Crash is how the runtime has ended a process.
type Crash struct {
	Process int
	Says    string
}

// longest bounds what is read of a crash, in bytes: the goroutine at fault comes first.
const longest = 64 << 10

// Crashes are those of the processes that have a folder, in the order of their names.
func Crashes(folder string) (out []Crash) {
	files, _ := filepath.Glob(filepath.Join(folder, crashFile+"*"))
	for _, file := range files {
		pid, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(file), crashFile))
		if err != nil {
			continue
		}
		f, err := os.Open(file)
		if err != nil {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(f, longest))
		_ = f.Close() // nothing was written
		if err == nil && len(text) > 0 {
			out = append(out, Crash{pid, string(text)})
		}
	}
	return out
}

// ReadLog is what a process wrote. A last line that is cut short is left out: the process was killed.
func ReadLog(folder string) ([]Event, error) {
	out, _, err := ReadFrom(folder, 0)
	return out, err
}

// ReadFrom is what processes wrote behind a place of the log, and the place behind the last whole line: they may still
// write.
func ReadFrom(folder string, from int64) (out []Event, end int64, err error) {
	f, err := os.Open(filepath.Join(folder, LogFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, from, nil
	}
	if err != nil {
		return nil, from, err
	}
	defer f.Close()
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return nil, from, err
	}
	lines := bufio.NewReader(f)
	for end = from; ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return out, end, nil //nolint:nilerr // the end, or a line that is not whole
		}
		end += int64(len(line))
		if e, is := parse(strings.TrimSuffix(line, "\n")); is {
			out = append(out, e)
		}
	}
}

func parse(line string) (Event, bool) {
	fields := strings.Split(line, "\t")
	if len(fields) != 4 && len(fields) != 7 {
		return Event{}, false
	}
	value, err := strconv.Unquote(fields[2])
	if err != nil {
		return Event{}, false
	}
	out := Event{Verb: Verb(fields[0]), Subject: parameter.ID(fields[1]), Value: value, At: fields[3]}
	if len(fields) == 7 {
		out.Process, out.Label, out.Keeper = fields[4], fields[5], fields[6]
	}
	return out, true
}

func sorted(values map[parameter.ID]string) []parameter.ID {
	out := make([]parameter.ID, 0, len(values))
	for id := range values {
		out = append(out, id)
	}
	slices.SortFunc(out, parameter.Compare)
	return out
}

// Carriers are the fields of the program's into which the value of a read was only put; none if it was used where it
// was read.
func Carriers(events []Event, read Event) (out []parameter.ID) {
	at, _, _ := strings.Cut(strings.TrimSuffix(read.At, Unsure), Time)
	for _, e := range events {
		if e.Verb == Copied && e.At == at && Alike(e.Value, read.Value) && !slices.Contains(out, e.Subject) {
			out = append(out, e.Subject)
		}
	}
	return out
}

// Alike tells whether two values are one: a library knows what a file says, and who asks it for a time gets that.
func Alike(a, b string) bool {
	if a == b {
		return true
	}
	n, err := inNanoseconds(a)
	m, no := inNanoseconds(b)
	return err == nil && no == nil && n == m
}

// inNanoseconds is a time, or a number that is taken for one.
func inNanoseconds(value string) (float64, error) {
	if d, err := time.ParseDuration(value); err == nil {
		return float64(d), nil
	}
	return strconv.ParseFloat(value, 64)
}
