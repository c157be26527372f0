package kubestate

import (
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// dryCodec is the codec by which the registry copies what a dry run would have stored.
// That does not come by the store, so that here is where it loses the time of the clock
// and a UID that was drawn: an object that was never stored has the UID zero.
type dryCodec struct{ runtime.Codec }

// Encode is part of runtime.Encoder.
func (c dryCodec) Encode(o runtime.Object, w io.Writer) error {
	o = o.DeepCopyObject()
	if m, err := meta.Accessor(o); err == nil {
		stopClock(m)
		if !ownUID(m.GetUID()) {
			m.SetUID(uidToken(0))
		}
	}
	return c.Codec.Encode(o, w)
}

// ownUID tells whether a UID is one of ours.
func ownUID(uid types.UID) bool {
	return strings.HasPrefix(string(uid), uidPrefix)
}
