package campaign

import (
	"errors"
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// What the API server finds wrong in an object is no fault of the machine.
func TestRefused(t *testing.T) {
	for _, test := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{errors.New("connection refused"), false},
		{apierrors.NewBadRequest("spec.replicas is no number"), true},
		{fmt.Errorf("apply Web shop: %w", apierrors.NewInternalError(errors.New("etcd: no leader"))), false},
		{fmt.Errorf("apply Web shop: %w", apierrors.NewInternalError(errors.New(untyped+" (default/shop; example.com/v1, Kind=Web): errors:\n  .spec.ports: duplicate entries for key [name=\"a\"]"))), true},
	} {
		if got := refused(test.err); got != test.want {
			t.Errorf("%v: %v", test.err, got)
		}
	}
}
