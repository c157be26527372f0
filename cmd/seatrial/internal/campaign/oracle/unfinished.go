package oracle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// stages are what operators call the field of a status that says how far they are, and underWay words in it for what is
// not done.
var (
	stages   = []string{"phase", "state", "status", "stage"}
	underWay = []string{
		"pending", "waiting", "progressing", "inprogress", "processing", "reconciling", "creating", "provisioning", "deploying", "installing", "configuring",
		"initializing", "initialising", "starting", "bootstrapping", "notready", "unready",
	}
)

// Unfinished is what the status of a custom resource says behind the last step that shows the operator not to be done
// with it, or what is warned of about it again and again; empty if nothing of the kind is said.
func Unfinished(c *Case) string {
	return cmp.Or(underway(c.Last().End[c.Key]), c.warned())
}

// warned is the first warning about the resource that came more than once, and comes anew where the operator is started
// again: others may be of the time until pods were ready. Of one that cannot reach what it wants, as the user says, it
// is known.
func (c *Case) warned() string {
	s := c.Last().End
	if c.Tries(c.Last()) {
		return ""
	}
	for _, k := range s.Keys() {
		o := s[k]
		if !warning(k, o) || !about(o, c.Key, s[c.Key].Text("kind")) {
			continue
		}
		times := max(number(o, "count"), number(o, "series", "count"))
		if said := warns(o); times > 1 && (c.Restart == nil || c.says(c.Restart.Events, said)) {
			return "again and again there is the warning " + said
		}
	}
	return ""
}

// underway is what a status says by its stage.
func underway(o history.Object) string {
	for _, name := range stages {
		said := o.Text("status", name)
		if !slices.Contains(underWay, strings.ToLower(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(said))) {
			continue
		}
		return fmt.Sprintf("status.%s is %s%s", name, said, because(o.Text("status", "message")))
	}
	return ""
}

// NotDone is what the status of a custom resource says of the operator's work going on, be it by how far it is or by
// what is not so yet; empty if it is done, as far as it says.
func NotDone(o history.Object) string {
	if text := underway(o); text != "" {
		return text
	}
	for _, said := range conditions(o) {
		if said.status == "False" && slices.ContainsFunc(running, func(name string) bool { return strings.HasSuffix(said.kind, name) }) {
			return fmt.Sprintf("condition %s is False%s", said.kind, because(said.message))
		}
	}
	return ""
}
