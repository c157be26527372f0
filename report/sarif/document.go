package sarif

import "github.com/seatrial/seatrial/finding"

// The parts of SARIF that are written; the standard says what they mean.

type document struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []run  `json:"runs"`
}

type run struct {
	Tool        tool         `json:"tool"`
	Invocations []invocation `json:"invocations"`
	Results     []result     `json:"results"`
	ColumnKind  string       `json:"columnKind"`
	Properties  properties   `json:"properties"`
}

// properties is what SARIF has no place for.
type properties struct {
	Verdict    finding.Verdict `json:"verdict"`
	Reason     string          `json:"reason,omitempty"`
	Bound      string          `json:"bound"`
	Command    string          `json:"command,omitempty"`
	Kubernetes string          `json:"kubernetes,omitempty"`
}

type tool struct {
	Driver driver `json:"driver"`
}

type driver struct {
	Name           string       `json:"name"`
	Version        string       `json:"version,omitempty"`
	InformationURI string       `json:"informationUri"`
	Rules          []descriptor `json:"rules"`
}

type descriptor struct {
	ID      string        `json:"id"`
	Name    string        `json:"name,omitempty"`
	Short   *message      `json:"shortDescription,omitempty"`
	Full    *message      `json:"fullDescription,omitempty"`
	Help    *help         `json:"help,omitempty"`
	HelpURI string        `json:"helpUri,omitempty"`
	Default configuration `json:"defaultConfiguration"`
}

// help is a text in two forms.
type help struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type configuration struct {
	Level string `json:"level"`
}

type invocation struct {
	Successful    bool           `json:"executionSuccessful"`
	Notifications []notification `json:"toolExecutionNotifications,omitempty"`
}

type notification struct {
	Level     string     `json:"level"`
	Message   message    `json:"message"`
	Locations []location `json:"locations,omitempty"`
}

type result struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Kind         string            `json:"kind"`
	Level        string            `json:"level"`
	Message      message           `json:"message"`
	Locations    []location        `json:"locations"`
	Related      []location        `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	CodeFlows    []codeFlow        `json:"codeFlows,omitempty"`
	Suppressions []suppression     `json:"suppressions,omitempty"`
	Fixes        []fix             `json:"fixes,omitempty"`
}

type fix struct {
	Description message          `json:"description"`
	Changes     []artifactChange `json:"artifactChanges"`
}

type artifactChange struct {
	Artifact     artifact      `json:"artifactLocation"`
	Replacements []replacement `json:"replacements"`
}

type replacement struct {
	Deleted  deletion `json:"deletedRegion"`
	Inserted *message `json:"insertedContent,omitempty"`
}

type suppression struct {
	Kind          string `json:"kind"`
	Status        string `json:"status"`
	Justification string `json:"justification"`
}

type message struct {
	Text string `json:"text"`
}

type location struct {
	ID       int               `json:"id,omitempty"`
	Physical *physicalLocation `json:"physicalLocation,omitempty"`
	Logical  []logicalLocation `json:"logicalLocations,omitempty"`
	Message  *message          `json:"message,omitempty"`
}

type physicalLocation struct {
	Artifact artifact `json:"artifactLocation"`
	Region   *region  `json:"region,omitempty"`
}

type artifact struct {
	URI string `json:"uri"`
}

// deletion is whole lines, or the place between two.
type deletion struct {
	Line      int `json:"startLine"`
	Column    int `json:"startColumn"`
	EndLine   int `json:"endLine"`
	EndColumn int `json:"endColumn"`
}

type region struct {
	Line   int `json:"startLine"`
	Column int `json:"startColumn,omitempty"`
}

type logicalLocation struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

type codeFlow struct {
	ThreadFlows []threadFlow `json:"threadFlows"`
}

type threadFlow struct {
	Locations []flowLocation `json:"locations"`
}

type flowLocation struct {
	Location   location `json:"location"`
	Importance string   `json:"importance"`
	Order      int      `json:"executionOrder"`
}
