package experiment

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// Reference names an object as "RESOURCE NAMESPACE/NAME", or "RESOURCE NAME" for one
// that is in no namespace. The resource is plural, with its group:
// "statefulsets.apps default/web".
type Reference history.Key

// resourceName is a plural with a group that may be empty.
var resourceName = regexp.MustCompile(`^[a-z][a-z0-9-]*(\.[a-z0-9.-]+)?$`)

// ParseReference reads what [Reference.String] writes.
func ParseReference(text string) (Reference, error) {
	resource, name, ok := strings.Cut(strings.TrimSpace(text), " ")
	name = strings.TrimSpace(name)
	if !ok || name == "" || !resourceName.MatchString(resource) || strings.ContainsAny(name, " \t\n") {
		return Reference{}, fmt.Errorf("%q names no object: write RESOURCE NAMESPACE/NAME, such as statefulsets.apps default/web", text)
	}
	r := Reference{Resource: resource, Name: name}
	if namespace, rest, namespaced := strings.Cut(name, "/"); namespaced {
		r.Namespace, r.Name = namespace, rest
	}
	if r.Name == "" || strings.Contains(r.Name, "/") {
		return Reference{}, fmt.Errorf("%q names no object: write RESOURCE NAMESPACE/NAME, such as statefulsets.apps default/web", text)
	}
	return r, nil
}

// String is what [ParseReference] reads.
func (r Reference) String() string { return history.Key(r).String() }

// MarshalJSON writes the text.
func (r Reference) MarshalJSON() ([]byte, error) { return json.Marshal(r.String()) }

// UnmarshalJSON reads the text.
func (r *Reference) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("an object is named by a text, RESOURCE NAMESPACE/NAME")
	}
	parsed, err := ParseReference(text)
	*r = parsed
	return err
}
