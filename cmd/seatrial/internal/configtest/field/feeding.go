package field

import (
	"cmp"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// feeding is what is known of where parameters are put: fields and arguments, which are its places. What is put there
// goes on from there.
type feeding struct {
	// of are the places, and parameters, into which something is put, by what it is.
	of map[parameter.ID][]parameter.Feed
	// places are the names of fields and arguments, by where these are declared; arguments are those that are.
	places    map[string]parameter.ID
	arguments map[string]bool
	// also are other names of one parameter.
	also map[parameter.ID]parameter.ID
	// names are those of the places that one parameter alone is put into, by where they are declared. They are known
	// when all of the code has been seen.
	names map[string]parameter.ID
}

// mostFeeds bounds how many feeds a parameter has.
const mostFeeds = 200

// put notes that something is put somewhere.
func (f *feeding) put(what parameter.ID, to parameter.Feed) {
	if what != to.ID && !slices.Contains(f.of[what], to) {
		f.of[what] = append(f.of[what], to)
	}
}

// one is the name by which all that are of one parameter are known.
func (f *feeding) one(id parameter.ID) parameter.ID {
	for f.also[id] != "" {
		id = f.also[id]
	}
	return id
}

// same notes that some names are of one parameter.
func (f *feeding) same(ids ...parameter.ID) {
	for _, id := range ids {
		a, b := f.one(ids[0]), f.one(id)
		if a > b {
			a, b = b, a
		}
		if a != b {
			f.also[b] = a
		}
	}
}

// keys are how many names of each kind are put into a field of a configuration, which is told by hand as a place is
// where a program gives it one key of a library.
func (f *feeding) keys(place map[parameter.ID]bool) map[parameter.ID]map[parameter.Kind]int {
	out := map[parameter.ID]map[parameter.Kind]int{}
	for what, into := range f.of {
		seen := map[parameter.ID]bool{}
		for _, to := range into {
			if place[to.ID] || seen[to.ID] {
				continue
			}
			seen[to.ID] = true
			if out[to.ID] == nil {
				out[to.ID] = map[parameter.Kind]int{}
			}
			out[to.ID][what.Kind()]++
		}
	}
	return out
}

// close follows each parameter to all that is made of it. A place into which several are put, as what a helper is given
// by many, is a feed of none.
func (f *feeding) close() map[parameter.ID][]parameter.Feed {
	place := map[parameter.ID]bool{}
	for _, id := range f.places {
		place[id] = true
	}
	all, of := map[parameter.ID][]parameter.Feed{}, map[parameter.ID]map[parameter.ID]bool{}
	for what := range f.of {
		if place[what] {
			continue
		}
		reached := slices.Clone(f.of[what])
		for i := 0; i < len(reached) && i < mostFeeds; i++ {
			for _, next := range f.of[reached[i].ID] {
				if next.Scale *= reached[i].Scale; !slices.Contains(reached, next) {
					reached = append(reached, next)
				}
			}
		}
		all[what] = reached
		for _, to := range reached {
			if of[to.ID] == nil {
				of[to.ID] = map[parameter.ID]bool{}
			}
			of[to.ID][f.one(what)] = true
		}
	}
	keys := f.keys(place)
	out := map[parameter.ID][]parameter.Feed{}
	for what, reached := range all {
		reached = slices.DeleteFunc(reached, func(to parameter.Feed) bool {
			return !place[to.ID] && (what.Kind() == parameter.Field || keys[to.ID][what.Kind()] != 1) || len(of[to.ID]) != 1
		})
		slices.SortFunc(reached, func(a, b parameter.Feed) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Scale, b.Scale)) })
		if len(reached) > 0 {
			out[what] = reached
		}
	}
	f.names = map[string]parameter.ID{}
	for at, id := range f.places {
		if len(of[id]) == 1 {
			f.names[at] = id
		}
	}
	return out
}
