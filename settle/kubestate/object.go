package kubestate

import (
	"bytes"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// Object is what is stored under one key. It is never changed, and there is only one
// with the same key and stored bytes in a Server, so that pointers tell whether two are the same.
type Object struct {
	key   string
	value runtime.Object
	meta  metav1.Object
	// bytes is the JSON of it, with fields in order.
	bytes []byte
	// raw is what was written, if what is read differs: empty metadata is left out, but
	// the next write finds something else there, and is not taken for none.
	raw []byte
	// tokens are those in bytes.
	tokens []Token
	hash   [16]byte
	// renamed is what it is with other names, if raw is empty.
	renamed Renamed[*Object]
}

// encode gives the JSON of an object with the fields of all maps in order.
func encode(o runtime.Object) ([]byte, error) {
	if u, ok := o.(*unstructured.Unstructured); ok {
		return marshal(u.Object)
	}
	return marshal(o)
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Key is where the object is stored: /GROUP/RESOURCE/NAMESPACE/NAME, without the
// namespace if it is in none, and with "core" for the group that has no name.
func (o *Object) Key() string { return o.key }

// JSON is the object as JSON, with fields in order. It is not to be changed.
func (o *Object) JSON() []byte { return o.bytes }

// Value is the object as the registry has it: unstructured for custom resources. It is
// not to be changed.
func (o *Object) Value() runtime.Object { return o.value }

// Meta is the metadata of the object, not to be changed.
func (o *Object) Meta() metav1.Object { return o.meta }

// Tokens are the UIDs and resourceVersions in its JSON, in order; not to be changed.
func (o *Object) Tokens() []Token { return o.tokens }

// Hash is of its key and JSON.
func (o *Object) Hash() [16]byte { return o.hash }
