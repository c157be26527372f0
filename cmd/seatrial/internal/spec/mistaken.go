package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// unreadable says where a text is no history, and which option writes one if it is something
// else that people have of a controller.
func unreadable(file string, text []byte, err error) error {
	out := &historyError{file: file, err: err}
	if line := (*history.LineError)(nil); errors.As(err, &line) {
		out.line, out.err = line.Line, line.Err
	}
	if what, how := mistaken(text); what != "" {
		out.line, out.err = 1, fmt.Errorf("this is %s, and no history: %s", what, how)
	} else if out.line == 1 {
		out.err = fmt.Errorf("%w: a history has an event a line, as seatrial controlplane --history=FILE writes it", out.err)
	}
	return out
}

// trials are the reports of trials that run controllers, and what has them keep histories.
var trials = []struct{ schema, command, what, how string }{
	{"seatrial.dev/replay", "", "what replay -o json writes", "with --histories=FOLDER it keeps those of its runs, and what -o json writes names them"},
	{"seatrial.dev/", "perturb", "a report of perturb", "with --histories=FOLDER it keeps those of its runs, and this report names them"},
	{"seatrial.dev/", "campaign", "a report of campaign", "seatrial controlplane --history=FILE -- COMMAND keeps one while your tests run"},
	{"seatrial.dev/", "", "what a model did", "replay --histories=FOLDER makes it happen on real Kubernetes, and keeps the history of that"},
}

// keptBy are the histories that the report of a trial names; none if the text is no such report.
func keptBy(text []byte) []string {
	var document struct {
		Schema    string
		Histories []string
	}
	if json.NewDecoder(bytes.NewReader(text)).Decode(&document) != nil || !strings.HasPrefix(document.Schema, "seatrial.dev/") {
		return nil
	}
	return document.Histories
}

// mistaken says what a text is that people may take for a history, and how to come to one;
// nothing if it is not known.
func mistaken(text []byte) (what, how string) {
	var document struct {
		Schema, Command, APIVersion, Kind, Type string
		Object                                  json.RawMessage
		Revision                                int64
	}
	if json.NewDecoder(bytes.NewReader(text)).Decode(&document) != nil || document.Revision != 0 {
		return "", ""
	}
	for _, t := range trials {
		words := strings.Fields(document.Command + " . .")
		if strings.HasPrefix(document.Schema, t.schema) && (t.command == "" || words[1] == t.command) {
			return t.what, t.how
		}
	}
	const recorded = "seatrial controlplane --history=FILE -- COMMAND keeps one while COMMAND runs"
	switch {
	case strings.HasPrefix(document.APIVersion, "audit.k8s.io/"):
		return "an audit log, which does not have the objects before and after", recorded
	case document.Object != nil && document.Type == strings.ToUpper(document.Type) && document.Type != "":
		return "a watch, which does not have who wrote and what was before", recorded
	case document.APIVersion != "" && document.Kind != "":
		return "an object as it is, and not what became of it", recorded
	}
	return "", ""
}
