package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("constant-port", finding.Rule{
		ID: "SEA3015", Name: "reference",
		Title:   "an object names another, or a part of it, that is not there",
		Means:   "What objects that came with the custom resource name is there: the Service and the port of it that an Ingress leads to, the port of a container that a Service or a probe names, the workload that an autoscaler scales, the Service of a StatefulSet, the port of a Service that a ServiceMonitor asks.",
		Excuses: "What named nothing with the seed either: it is about something that seatrial does not know. A name that the custom resource says itself: its user asks for that; nor ports where it has a list of them, or of containers, of which the user need not give all that is named. A Service that is not there, unless another one came in its place: nobody may want it.",
		Why: `Both are made in two places. A name or a port that the resource gives comes to one of them, and the other has a constant, which is mostly the default: with the seed all fits.

Nothing reports an error, and a new resource is not better: a client gets no answer, a kubelet cannot ask a container, an autoscaler does nothing.`,
		Mend: []string{
			"Make both of the same function, or read what one has when the other is made.",
			"Name ports by fixed words (http, metrics), and never by what users can change.",
		},
		Links: []finding.Link{services, ingress},
	})
}
