package oracle

// Tracer is where values of the custom resource go, learned over a campaign.
type Tracer struct{}
