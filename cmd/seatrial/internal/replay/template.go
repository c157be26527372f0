package replay

import (
	"encoding/json"
	"reflect"

	"github.com/seatrial/seatrial/history"
)

// alike tells whether a template of the trace is a ReplicaSet's: but for the hash
// that the Deployment controller adds, and what an API server leaves out.
func alike(raw json.RawMessage, template map[string]any) bool {
	var given history.Object
	if len(raw) == 0 || json.Unmarshal(raw, &given) != nil {
		return false
	}
	return reflect.DeepEqual(essence(map[string]any(given)), essence(template))
}

// essence is a value without hashes, nulls and what is empty.
func essence(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, each := range v {
			if key == "pod-template-hash" || key == "creationTimestamp" {
				continue
			}
			if e := essence(each); e != nil {
				out[key] = e
			}
		}
		if len(out) == 0 {
			return nil
		}
		return out
	case []any:
		var out []any
		for _, each := range v {
			out = append(out, essence(each))
		}
		if len(out) == 0 {
			return nil
		}
		return out
	}
	return value
}
