// Package input is what the user gives to a campaign, from flags, a file, or both: how the
// operator is started, its CustomResourceDefinitions, the seed, and what to try.
//
//	apiVersion: seatrial.dev/v1alpha1
//	kind: Campaign
//	metadata: {name: web}
//	controller: {command: [./bin/op, --namespace=$(NAMESPACE)]}
//	crds: [config/crd]
//	seed: web.yaml
//
// [Load] reads all of it, so that what it returns needs no other file but the operator's
// executable, and finds what is wrong with it before anything is started.
package input

import (
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// Kind is that of a campaign's file; its apiVersion is [experiment.APIVersion].
const Kind = "Campaign"

// Input is a campaign as the user wants it. Nothing in it refers to a file but the operator's
// program.
type Input struct {
	Name string
	// Controller is how the operator is started. Its command and its environment may hold
	// placeholders: see [Fill].
	Controller experiment.Controller
	// ControllerPlace is where that is said: file:line, or the flag.
	ControllerPlace string
	// Definition is the seed's CustomResourceDefinition; nil if none was given: see
	// [Input.Define].
	Definition *apiextensionsv1.CustomResourceDefinition
	// Setup is there before the operator: the CRDs that were given, the namespaces that
	// anything is in, and what stands beside the seed.
	Setup experiment.Manifests
	// Seed is the custom resource that everything begins with, and SeedPlace where it
	// stands: file:line.
	Seed      history.Object
	SeedPlace string
	// Examples are other custom resources of the seed's kind, whose values are tried. What
	// they refer to is in Setup.
	Examples []history.Object
	// Focus, if any, and Ignore select properties: spec.tls, spec.servers[].port, **.resources.
	Focus, Ignore []string
	// Mask are patterns of what of objects does not count, beside the usual (history.Mask).
	Mask []string
	// Values are tried of properties, by their paths.
	Values map[string][]any
	// Kinds are types of Kubernetes, by the paths of the properties that are of them; none
	// says that it is of none.
	Kinds map[string]string
	// Off are names of oracles that do not judge, and Unmask those of masks that are not
	// applied.
	Off, Unmask []string
	// Oracles are those that the user gives.
	Oracles []Oracle
	// Unreachable is what the operator wants of pods and does not get, exec and tcp:
	// that it says so is not held against it.
	Unreachable []string
	// Made is what the seed refers to and nobody gave; it is learned, and in Setup by then.
	Made []history.Object
	// ComesBack tells that the operator looks again by itself, in a time that nobody knows, at what it is done with; it
	// is learned.
	ComesBack bool
	// Plane is what the control plane is made of.
	Plane admin.Spec
	// RandomSeed is what is drawn from.
	RandomSeed uint64
	// Folder is what the paths of programs in Oracles were relative to.
	Folder string
}

// Oracle is a judge of the user's. Exactly one of CEL and Command is set.
type Oracle struct {
	Name string `json:"name"`
	// CEL is an expression over cr, previous, objects and events that has to be true behind
	// each operation.
	CEL string `json:"cel,omitempty"`
	// Command is a program and its arguments: what was seen is on its standard input, and
	// what is wrong is on its standard output, both as JSON.
	Command []string `json:"command,omitempty"`
	// Timeout is how long the program may take, as Go writes durations; 10s if it is empty.
	Timeout string `json:"timeout,omitempty"`
	// Misoperations has it asked behind misoperations, too.
	Misoperations bool `json:"misoperations,omitempty"`

	expression *experiment.Expression
	timeout    time.Duration
}

// Expression is the compiled CEL; nil if there is none.
func (o *Oracle) Expression() *experiment.Expression { return o.expression }

// Limit is how long the program may take.
func (o *Oracle) Limit() time.Duration { return o.timeout }

// Variables are what an oracle's expression sees: the custom resource as it was applied, the one
// before it (null for the seed), the lists of all objects by their resource, and the writes
// since it was applied; and the operation: its name, property, case, misoperation and repairs, null for
// the seed.
var Variables = []string{"cr", "previous", "objects", "events", "operation"}

// Flags are what the command line says. What it says wins over the file; lists are added to those
// of the file, but for CRDs and the seed.
type Flags struct {
	// File is a file with a campaign; empty for none.
	File string
	// Operator is a command as a shell would split it.
	Operator string
	// CRDs, Seed, Setup and Examples are files and folders.
	CRDs            []string
	Seed            string
	Setup, Examples []string
	Focus, Ignore   []string
	Mask, Unmask    []string
	Off             []string
	Env             []string
	ServiceAccount  string
	// RandomSeed counts if it is not nil.
	RandomSeed *uint64
	// Oracles are the names that Off may have, Masks those for Unmask; nil to take any.
	Oracles, Masks []string
}
