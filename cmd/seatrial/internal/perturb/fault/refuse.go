package fault

import (
	"context"
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Kind{Name: "refuse", Reads: []string{"verb", "code"}, New: func(p *plan.Plan) Fault { return &refuse{base: base{plan: p}} }})
}

// refuse has the API server refuse a write once, with Code and Reason. The trigger
// is the write that it would have been, counted by ordinal: what it would have
// changed is not known before.
type refuse struct{ base }

func (f *refuse) Before(_ context.Context, s Stage, x *apiproxy.Exchange) apiproxy.Answer {
	if f.Phase() != Waiting || !wouldBe(s, &f.plan.Trigger, f.plan.Fault.Verb, x) || !f.phase.step(Waiting, Done) {
		return apiproxy.Pass
	}
	answer := strings.TrimSpace(fmt.Sprintf("%d %s", f.plan.Fault.Code, f.plan.Fault.Reason))
	s.Mark("the API server refuses the controller's %s of %s with %s", x.Verb, f.plan.Trigger.Object, answer)
	return apiproxy.Refuse(f.plan.Fault.Code, f.plan.Fault.Reason, 0)
}

// wouldBe tells whether a request, if it is done and changes anything, is the event
// that fires a trigger, which counts by ordinal.
func wouldBe(s Stage, t *plan.Trigger, verb string, x *apiproxy.Exchange) bool {
	key := history.Key{Resource: mainOf(x.Resource), Namespace: x.Namespace, Name: x.Name}
	is := s.Object(key)
	if key = key.Generic(is); key.Name == "" && x.GenerateName != "" {
		key.Name = x.GenerateName + "*"
	}
	if x.Verb != verb || key != (history.Key{Resource: t.Object.Resource, Namespace: t.Object.Namespace, Name: t.Object.Name}) {
		return false
	}
	if t.Type == history.Delete && !strings.HasPrefix(verb, "delete") && is.At("metadata", "deletionTimestamp") == nil {
		return false // only what is being deleted goes with its last finalizer
	}
	// An apply may be both.
	return (is != nil) == (t.Type != history.Create) && s.Seen(t) == t.Occurrence-1
}
