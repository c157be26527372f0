package oracle

import (
	"fmt"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

func init() { register(Oracle{Name: "dangling-owner", Order: 6, Judge: danglingOwner}) }

// danglingOwner names objects that are there at the end and whose every owner is
// gone, if they had none such in a usual run.
func danglingOwner(c *Case) []Divergence {
	usual := map[history.Key]bool{}
	if c.Reference != nil {
		for _, run := range c.Reference.Runs {
			for _, key := range dangling(run.Events, run.Final) {
				usual[key] = true
			}
		}
	}
	var out []Divergence
	for _, key := range dangling(c.Run.Events, c.Run.Final) {
		if !usual[key] {
			out = append(out, Divergence{Object: key, Class: key.Resource, Text: fmt.Sprintf("%s is there in the end, and its owner is not", key)})
		}
	}
	return out
}

// dangling are objects whose owners were all there once and are gone.
func dangling(events []history.Event, final history.State) []history.Key {
	gone := map[string]bool{}
	for _, e := range events {
		if e.Type == history.Delete {
			gone[e.UID] = true
		}
	}
	var out []history.Key
	for _, key := range final.Keys() {
		if recording.Orphaned(final[key], gone) {
			out = append(out, key)
		}
	}
	return out
}
