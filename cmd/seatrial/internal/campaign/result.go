package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
)

// idOf is equal for sequences of the same operations.
func idOf(s *operation.Sequence) string {
	text, err := json.Marshal(s.Operations)
	if err != nil {
		return "" // not known another time
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// plainResult is a result without its methods.
type plainResult Result

// resultForm is all of a result, so that a campaign can go on as if it had not been interrupted.
type resultForm struct {
	*plainResult
	Seen   []seenForm `json:"seen,omitempty"`
	Doubts []string   `json:"doubts,omitempty"`
	// Updated are the files of ConfigMaps and Secrets that the operator has changed.
	Updated []string               `json:"updated,omitempty"`
	Left    []*operation.Operation `json:"left,omitempty"`
	Probes  []*oracle.Probe        `json:"probes,omitempty"`
}

type seenForm struct {
	Path       []*operation.Operation `json:"path,omitempty"`
	Cause      string                 `json:"cause"`
	Deviations []oracle.Deviation     `json:"deviations"`
	End        ending                 `json:"end,omitempty"`
}

// MarshalJSON writes all that is needed to go on.
func (r *Result) MarshalJSON() ([]byte, error) {
	form := resultForm{plainResult: (*plainResult)(r), Doubts: r.doubts, Updated: r.updated, Left: r.left, Probes: r.probes}
	for _, s := range r.seen {
		form.Seen = append(form.Seen, seenForm{s.path, s.cause, s.deviations, s.end})
	}
	return json.Marshal(form)
}

// UnmarshalJSON reads it again.
func (r *Result) UnmarshalJSON(text []byte) error {
	form := resultForm{plainResult: (*plainResult)(r)}
	if err := json.Unmarshal(text, &form); err != nil {
		return err
	}
	r.seen, r.doubts, r.updated, r.left, r.probes = nil, form.Doubts, form.Updated, form.Left, form.Probes
	for _, s := range form.Seen {
		if len(s.Deviations) > 0 {
			r.seen = append(r.seen, &seen{s.Path, s.Cause, s.Deviations, s.End})
		}
	}
	return nil
}
