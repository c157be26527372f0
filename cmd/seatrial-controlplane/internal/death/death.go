// Package death ends the process in our way when Kubernetes' code would end it in
// its own.
package death

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"sync"

	"k8s.io/klog/v2"
)

// Code is the exit code of a process that could not go on.
const Code = 4

// Death ends the process when a part of it, which cannot be stopped otherwise,
// says that it cannot go on.
type Death struct {
	// Clean removes what must not be left.
	Clean func() error
	// Err takes the last words.
	Err io.Writer

	once sync.Once
}

// Of says what the process dies of, and does not return.
func (d *Death) Of(reason string) {
	d.once.Do(func() {
		fmt.Fprintf(d.Err, "seatrial-controlplane: %s\n", reason)
		if err := d.Clean(); err != nil {
			fmt.Fprintf(d.Err, "seatrial-controlplane: %v\n", err)
		}
		os.Exit(Code)
	})
	select {} // another one ends it
}

// log takes what Kubernetes logs, a line a call.
type log struct {
	file  io.Writer
	fatal func(reason string)
}

// headerEnd separates the severity, time and place of a line from what it says.
var headerEnd = []byte("] ")

func (l *log) Write(line []byte) (int, error) {
	n, err := l.file.Write(line)
	if bytes.HasPrefix(line, []byte("F")) {
		_, said, _ := bytes.Cut(line, headerEnd)
		l.fatal(string(bytes.TrimSpace(said)))
	}
	return n, err
}

// Log sends what Kubernetes logs to a file: each line once, and nothing to the
// terminal of whoever started the process. What would end the process ends it in
// our way.
func (d *Death) Log(file io.Writer) {
	const beyondFatal = "4"
	var flags flag.FlagSet
	klog.InitFlags(&flags)
	for name, value := range map[string]string{"logtostderr": "false", "stderrthreshold": beyondFatal, "one_output": "true"} {
		if err := flags.Set(name, value); err != nil {
			panic(err) // a flag that klog does not have
		}
	}
	klog.SetOutput(&log{file, d.Of})
	klog.OsExit = func(code int) { d.Of(fmt.Sprintf("a part of it exits with code %d", code)) }
}
