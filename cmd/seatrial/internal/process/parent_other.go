//go:build !unix

package process

import (
	"errors"
	"os"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/process/supervisor"
)

// refusedError is the system's answer when a program should be executed.
type refusedError struct {
	kind supervisor.Kind
	text string
}

func (e *refusedError) Error() string { return e.text }

// supervised is for systems with process groups only.
type supervised struct{ output *os.File }

func startSupervisor() (*supervised, error) {
	return nil, errors.New("controllers can be run on Linux and macOS only")
}

func (*supervised) run(supervisor.Order) (int, error) { return 0, nil }
func (*supervised) kill()                             {}
func (*supervised) wait() Exit                        { return Exit{} }
func (*supervised) end()                              {}
