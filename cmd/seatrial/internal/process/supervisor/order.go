// Package supervisor is what this executable is under the name [Name]: between the process that starts it and one
// program, it starts that, waits and kills; the documentation of package process says why.
//
// It is begun for every program, which may be thousands in a minute, and must be at its work before what other packages
// of the executable do when they are initialised. Go initialises packages in the order of their paths, but each behind
// those that it imports: so this package imports little of the standard library, and nothing that comes late. With
// os/exec there are 320 packages of others before it, without it 115.
package supervisor

// Name is what this executable is called when it is a supervisor.
const Name = "seatrial-supervisor"

// KillOrder is the byte that orders that all be killed; the end of the orders does that, too.
const KillOrder = 'k'

// Order is what a supervisor is told first, as a line of JSON.
type Order struct {
	Path        string
	Arguments   []string
	Directory   string
	Environment []string
	// Processes and Memory, in bytes, bound the program and all that it has started; 0 for any number.
	Processes int `json:",omitempty"`
	Memory    int `json:",omitempty"`
}

// Report is a line of a supervisor: first Pid or Error, then how it ended.
type Report struct {
	Pid   int    `json:",omitempty"`
	Error string `json:",omitempty"`
	// Kind is that of Error, if it is known.
	Kind Kind `json:",omitempty"`

	Code   int    `json:",omitempty"`
	Signal string `json:",omitempty"`
	Killed bool   `json:",omitempty"`
	Beyond string `json:",omitempty"`
	Left   []int  `json:",omitempty"`
}

// Kind is one of errors of a program that the system does not execute.
type Kind string

// The kinds that are told apart.
const (
	Format    Kind = "format"
	Missing   Kind = "missing"
	Forbidden Kind = "forbidden"
)
