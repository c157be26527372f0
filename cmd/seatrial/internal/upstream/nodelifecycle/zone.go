package nodelifecycle

import (
	corev1 "k8s.io/api/core/v1"
	nodetopology "k8s.io/component-helpers/node/topology"
)

// Pace is how the controller goes on with the NoExecute taints of a zone's nodes.
type Pace int

const (
	// Usual: nodes that are not Ready get them.
	Usual Pace = iota
	// Stopped: no node of the zone gets one, since too many are not Ready. Those that
	// have them keep them.
	Stopped
	// Withdrawn: no node of the cluster is Ready. That is taken for the control
	// plane's own fault: no node gets them, and all lose them.
	Withdrawn
)

// The defaults of kube-controller-manager: --unhealthy-zone-threshold, and
// --large-cluster-size-threshold, above which evictions of a zone go on more slowly.
const (
	unhealthyZone = 0.55
	largeZone     = 50
)

// fewLost is how many nodes of a zone may be lost whatever their share is.
const fewLost = 2

// Zone is the zone of a node, as the controller has it: region and zone.
func Zone(node *corev1.Node) string { return nodetopology.GetZoneKey(node) }

// Paces is the pace of each zone, in a cluster with one entry in zones and in lost for
// each node: ComputeZoneState, handleDisruption and ReducedQPSFunc of
// pkg/controller/nodelifecycle.
func Paces(zones []string, lost func(node int) bool) map[string]Pace {
	type count struct{ all, lost int }
	counts := map[string]count{}
	total := 0
	for i, zone := range zones {
		c := counts[zone]
		c.all++
		if lost(i) {
			c.lost++
			total++
		}
		counts[zone] = c
	}
	out := map[string]Pace{}
	for zone, c := range counts {
		switch {
		case total == len(zones):
			out[zone] = Withdrawn
		case c.lost == c.all, c.lost <= fewLost, float32(c.lost)/float32(c.all) < unhealthyZone, c.all > largeZone:
			out[zone] = Usual
		default:
			out[zone] = Stopped
		}
	}
	return out
}
