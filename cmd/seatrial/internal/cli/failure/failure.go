// Package failure holds the errors of commands. They carry the exit code and
// what to say, so that one place turns them into both.
package failure

import (
	"errors"

	"github.com/seatrial/seatrial/finding"
)

// Error ends a command with Code.
type Error struct {
	Code finding.Code
	// Err is what went wrong, one line or several; nil when what was found has
	// been reported and there is nothing more to say.
	Err error
	// Hint is a line that helps to go on; empty if there is none.
	Hint string
}

// Error returns the message.
func (e *Error) Error() string {
	if e.Err == nil {
		return "see the report"
	}
	return e.Err.Error()
}

// Unwrap returns what went wrong.
func (e *Error) Unwrap() error { return e.Err }

// Usage is about the command line.
func Usage(command, message string) error {
	return &Error{Code: finding.CodeInput, Err: errors.New(message), Hint: "run '" + command + " --help' for usage"}
}

// Input is about the files that were read.
func Input(err error) error { return &Error{Code: finding.CodeInput, Err: err} }

// Internal is seatrial's fault or the machine's.
func Internal(err error) error { return &Error{Code: finding.CodeInternal, Err: err} }

// Found ends a command that has reported what it found.
func Found(code finding.Code) error {
	if code == finding.CodeHolds {
		return nil
	}
	return &Error{Code: code}
}

// With ends a command that has reported what it found, and what went wrong beside
// that: nil only if err is nil and the code says that all holds.
func With(code finding.Code, err error) error {
	if err == nil {
		return Found(code)
	}
	return &Error{Code: code, Err: err}
}
