package pair

import (
	"context"
	"errors"
)

// Mode is how a member talks to the others.
type Mode string

// The modes. Prefer understands both others, which do not understand each other.
const (
	TLS    Mode = "tls"
	Prefer Mode = "prefer"
	Plain  Mode = "plain"
)

// Cluster is a client of a database with several members.
type Cluster interface {
	// Members are their modes.
	Members(context.Context) ([]Mode, error)
	// Set changes the mode of a member, or adds one behind the last. It is ErrNoQuorum if some
	// members do not understand each other.
	Set(ctx context.Context, i int, m Mode) error
	// Remove removes the last member.
	Remove(context.Context) error
}

// ErrNoQuorum is what a Cluster says of changes while it has none.
var ErrNoQuorum = errors.New("the members do not understand each other")
