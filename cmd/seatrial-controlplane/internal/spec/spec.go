// Package spec tells errors of who asks for a plane from those of this program
// and its machine.
package spec

import "errors"

// wrong is an error that another spec, flag or port would not have.
type wrong struct{ error }

func (w wrong) Unwrap() error { return w.error }

// Wrong marks an error as one of what was asked for; nil stays nil.
func Wrong(err error) error {
	if err == nil {
		return nil
	}
	return wrong{err}
}

// IsWrong tells whether an error is marked.
func IsWrong(err error) bool {
	var w wrong
	return errors.As(err, &w)
}
