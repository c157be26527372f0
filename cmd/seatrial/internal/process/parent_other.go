//go:build !unix

package process

import (
	"errors"
	"os"
)

type order struct {
	Path        string
	Arguments   []string
	Directory   string
	Environment []string
}

const (
	kindFormat    = "format"
	kindMissing   = "missing"
	kindForbidden = "forbidden"
)

type refusedError struct{ kind, text string }

func (e *refusedError) Error() string { return e.text }

// supervisor is for systems with process groups only.
type supervisor struct{ output *os.File }

func startSupervisor() (*supervisor, error) {
	return nil, errors.New("controllers can be run on Linux and macOS only")
}

func (*supervisor) run(order) (int, error) { return 0, nil }
func (*supervisor) kill()                  {}
func (*supervisor) wait() Exit             { return Exit{} }
func (*supervisor) end()                   {}
