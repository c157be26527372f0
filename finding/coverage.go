package finding

// Covered is what was tried of one property of a schema.
type Covered struct {
	Property string `json:"property"`
	// Type is of the schema: boolean, enum, map; empty if it does not say what is in the property.
	Type string `json:"type,omitempty"`
	// Kind is the type of Kubernetes that the property was recognised as; empty for none.
	Kind string `json:"kind,omitempty"`
	// Opaque tells that the schema does not say what is in it, so that only what resources have there was tried; Why
	// says why nothing was.
	Opaque bool   `json:"opaque,omitempty"`
	Why    string `json:"why,omitempty"`
	// Cases are what there was to try.
	Cases []CoveredCase `json:"cases,omitempty"`
}

// CoveredCase is what became of one case of a property.
type CoveredCase struct {
	Name string `json:"name"`
	Fate Fate   `json:"fate"`
	// Reason says why it was refused.
	Reason string `json:"reason,omitempty"`
}

// Fate is what became of something that was to be tried.
type Fate string

const (
	// Effective: writes followed that count.
	Effective Fate = "effective"
	// Ineffective: none did.
	Ineffective Fate = "ineffective"
	// RefusedBySchema: the schema does not take it.
	RefusedBySchema Fate = "refused-by-schema"
	// RefusedByServer: the schema takes it, and the API server or a webhook does not.
	RefusedByServer Fate = "refused-by-server"
	// Untried: it was planned, and there was no time.
	Untried Fate = "untried"
)
