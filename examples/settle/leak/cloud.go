package leak

import (
	"context"
	"errors"
)

// Cloud is a client of a cloud.
type Cloud interface {
	// Create makes a bucket and says its name, which the cloud thinks of if it is empty. It is
	// ErrExists if there is one of that name.
	Create(ctx context.Context, name string) (string, error)
	// Delete deletes one, if it is there.
	Delete(ctx context.Context, name string) error
}

// ErrExists is what a Cloud says of a name that is taken.
var ErrExists = errors.New("there is a bucket of this name")

const finalizer = "example.com/bucket"
