package oracle

import (
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Oracle{Name: "deletion", Rule: "SEA3010", Order: 45, Behind: Deletion, Judge: deletion})
}

// deletion finds a custom resource that was deleted and does not go.
func deletion(c *Case) []Deviation {
	o := c.Deleted.End[c.Key]
	if o == nil || c.Deleted.Refused != "" {
		return nil
	}
	var finalizers []string
	left, _ := o.At("metadata", "finalizers").([]any)
	for _, f := range left {
		finalizers = append(finalizers, fmt.Sprint(f))
	}
	if o.At("metadata", "deletionTimestamp") == nil {
		return []Deviation{{Object: c.Key, Place: "again", Text: fmt.Sprintf("%s was deleted, and is there again", c.Key)}}
	}
	when := ""
	if c.misoperation() {
		when = " as long as it asks for what cannot work"
	}
	return []Deviation{{
		Object: c.Key, Path: "metadata.finalizers", Found: left, Place: "metadata.finalizers",
		Text: fmt.Sprintf("%s was deleted and does not go%s: nobody takes its finalizers %s away", c.Key, when, strings.Join(finalizers, ", ")),
	}}
}

// uids are those of the objects of a state.
func uids(s history.State) map[string]bool {
	out := map[string]bool{}
	for _, o := range s {
		out[o.Text("metadata", "uid")] = true
	}
	return out
}
