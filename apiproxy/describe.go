package apiproxy

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// The media types of bodies that are not read as objects in JSON.
const (
	mediaJSON      = "application/json"
	mediaJSONPatch = "application/json-patch+json"
	mediaYAML      = "application/yaml"
	mediaApplyYAML = "application/apply-patch+yaml"
	mediaApply     = "application/apply-patch+"
)

// mediaType is that of a body or an answer, without parameters.
func mediaType(h http.Header) string {
	media, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		media, _, _ = strings.Cut(h.Get("Content-Type"), ";")
		media = strings.ToLower(strings.TrimSpace(media))
	}
	return media
}

// isCBOR tells of a body that cannot be read here. A client that is told 415 sends
// JSON from then on (k8s.io/client-go/rest, requestClientContentConfigProvider).
func isCBOR(media string) bool {
	return media == "application/cbor" || media == "application/cbor-seq" || media == mediaApply+"cbor"
}

// deletion is the part of metav1.DeleteOptions that counts.
type deletion struct {
	Preconditions     preconditions `json:"preconditions"`
	OrphanDependents  *bool         `json:"orphanDependents"`
	PropagationPolicy string        `json:"propagationPolicy"`
	DryRun            []string      `json:"dryRun"`
}

type preconditions struct {
	UID             string `json:"uid"`
	ResourceVersion string `json:"resourceVersion"`
}

// sent is the part of what clients send that counts: an object, a merge patch, an
// eviction, or options of a delete.
type sent struct {
	deletion

	Metadata struct {
		Name            string `json:"name"`
		GenerateName    string `json:"generateName"`
		UID             string `json:"uid"`
		ResourceVersion string `json:"resourceVersion"`
	} `json:"metadata"`
	DeleteOptions deletion `json:"deleteOptions"`
}

// describe notes what the body of a write says of its conditions. What cannot be
// read says nothing: the API server will refuse it.
func (x *Exchange) describe(media string, query url.Values, body []byte) {
	x.Apply = x.Verb == "patch" && strings.HasPrefix(media, mediaApply)
	x.Propagation = query.Get("propagationPolicy")
	s := sentOf(media, x, body)
	if x.Verb != "delete" && x.Verb != "deletecollection" {
		x.BodyRevision, x.BodyUID = s.Metadata.ResourceVersion, s.Metadata.UID
		if x.Verb == "create" {
			x.GenerateName = s.Metadata.GenerateName
			if x.Name == "" {
				x.Name = s.Metadata.Name
			}
		}
		if x.subresource() != "eviction" {
			return
		}
		s.deletion = s.DeleteOptions
	}
	x.PreconditionUID, x.PreconditionRevision = s.Preconditions.UID, s.Preconditions.ResourceVersion
	switch {
	case s.PropagationPolicy != "":
		x.Propagation = s.PropagationPolicy
	case s.OrphanDependents != nil && *s.OrphanDependents:
		x.Propagation = "Orphan"
	}
	x.DryRun = x.DryRun || len(s.DryRun) > 0
}

func sentOf(media string, x *Exchange, body []byte) sent {
	var s sent
	if unknown, is := bytes.CutPrefix(body, protobufMagic); is {
		switch raw := bytesIn(unknown, unknownRaw); {
		case x.Verb == "delete" || x.Verb == "deletecollection":
			s.deletion = deletionOf(raw)
		case x.subresource() == "eviction":
			s.DeleteOptions = deletionOf(bytesIn(raw, evictionDeleteOptions))
			fallthrough
		default:
			m := metadataOf(unknown)
			s.Metadata.Name, s.Metadata.GenerateName = m.name, m.generateName
			s.Metadata.UID, s.Metadata.ResourceVersion = m.uid, m.resourceVersion
		}
		return s
	}
	if media == mediaJSONPatch {
		s.Metadata.ResourceVersion = patched(body, "/metadata/resourceVersion")
		s.Metadata.UID = patched(body, "/metadata/uid")
		return s
	}
	// A field of another type than it should have leaves the others readable.
	if json.Unmarshal(body, &s) != nil && (media == mediaYAML || media == mediaApplyYAML) && !json.Valid(body) {
		s.Metadata.Name = yamlMetadata(body, "name")
		s.Metadata.GenerateName = yamlMetadata(body, "generateName")
		s.Metadata.UID = yamlMetadata(body, "uid")
		s.Metadata.ResourceVersion = yamlMetadata(body, "resourceVersion")
	}
	return s
}

// patched is the text that a JSON patch tests or sets at a path.
func patched(body []byte, path string) string {
	var operations []struct {
		Op    string          `json:"op"`
		Path  string          `json:"path"`
		Value json.RawMessage `json:"value"`
	}
	if json.Unmarshal(body, &operations) != nil {
		return ""
	}
	for _, o := range operations {
		var text string
		if o.Path == path && (o.Op == "test" || o.Op == "add" || o.Op == "replace") && json.Unmarshal(o.Value, &text) == nil {
			return text
		}
	}
	return ""
}

// yamlMetadata is a text of an object's metadata, in YAML as programs write it: one
// key a line, indented. Clients send their applies in JSON as a rule.
func yamlMetadata(body []byte, key string) string {
	inside, indent := false, 0
	for line := range strings.SplitSeq(string(body), "\n") {
		text := strings.TrimLeft(line, " ")
		depth := len(line) - len(text)
		text = strings.TrimRight(text, " \r\t")
		switch {
		case text == "" || text[0] == '#':
			continue
		case depth == 0:
			inside, indent = text == "metadata:", 0
			continue
		case !inside:
			continue
		case indent == 0:
			indent = depth
		}
		if name, value, is := strings.Cut(text, ":"); is && depth == indent && name == key {
			value = strings.TrimSpace(value)
			if len(value) > 1 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
				value = value[1 : len(value)-1]
			}
			return value
		}
	}
	return ""
}

// answered notes what an answer says: the object that was written, a list, or the
// Status of a delete, which names the object in its details.
func (x *Exchange) answered(body []byte) {
	var object struct {
		Metadata struct {
			received
			ending
		} `json:"metadata"`
		Details struct {
			Name string `json:"name"`
			UID  string `json:"uid"`
		} `json:"details"`
	}
	if json.Unmarshal(body, &object) != nil {
		return
	}
	x.take(object.Metadata.received)
	x.Removed = (x.Verb == "update" || x.Verb == "patch") && object.Metadata.over()
	if x.UID == "" {
		x.UID = object.Details.UID
	}
	if x.ObjectName == "" {
		x.ObjectName = object.Details.Name
	}
}

// received is the part of the metadata of an object or list that counts.
type received struct {
	Name            string `json:"name"`
	Namespace       string `json:"namespace"`
	UID             string `json:"uid"`
	ResourceVersion string `json:"resourceVersion"`
}

// ending is the part of the metadata of an object that says whether it is kept though
// it is being deleted.
type ending struct {
	DeletionTimestamp          string   `json:"deletionTimestamp"`
	DeletionGracePeriodSeconds int64    `json:"deletionGracePeriodSeconds"`
	Finalizers                 []string `json:"finalizers"`
}

// over tells whether nothing keeps it: an update that leaves it so deletes it
// (ShouldDeleteDuringUpdate of k8s.io/apiserver).
func (e ending) over() bool {
	return e.DeletionTimestamp != "" && e.DeletionGracePeriodSeconds == 0 && len(e.Finalizers) == 0
}

func (r received) revision() int64 { return revisionOf(r.ResourceVersion) }

func (x *Exchange) take(r received) {
	x.Revision, x.UID, x.ObjectName = r.revision(), r.UID, r.Name
}

// revisionOf is a resourceVersion as a number; 0 for none.
func revisionOf(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// acceptJSON is an Accept header that asks for JSON wherever the given one asks
// for anything; what object it should be (as, g, v) stays.
func acceptJSON(h http.Header) string {
	var ranges []string
	seen := map[string]bool{}
	for accept := range strings.SplitSeq(strings.Join(h.Values("Accept"), ","), ",") {
		media := mediaJSON
		_, parameters, _ := strings.Cut(accept, ";")
		for parameter := range strings.SplitSeq(parameters, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
			if name == "as" || name == "g" || name == "v" {
				media += ";" + name + "=" + value
			}
		}
		if !seen[media] {
			seen[media] = true
			ranges = append(ranges, media)
		}
	}
	return strings.Join(ranges, ",")
}
