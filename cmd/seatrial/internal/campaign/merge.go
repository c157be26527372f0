package campaign

import (
	"cmp"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
)

// merge makes one finding of roots that are the same after all.
func merge(all []*Finding) []*Finding {
	var out []*Finding
	for _, of := range together(all) {
		lead := of[0]
		for _, f := range of[1:] {
			lead.Seen += f.Seen
			for _, p := range f.Properties {
				if !slices.Contains(lead.Properties, p) {
					lead.Properties = append(lead.Properties, p)
				}
			}
			lead.Deviations = append(lead.Deviations, f.Deviations...)
		}
		out = append(out, lead)
	}
	return out
}

// together puts roots together that are the same: the same oracle, the same property and the same objects, or the same
// field, or one that one property shows alone. What is confirmed leads, and then the most telling oracle.
func together(all []*Finding) (out [][]*Finding) {
	order := map[string]int{}
	for i, o := range oracle.All() {
		order[o.Name] = i
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b *Finding) int {
		if a.Confirmed() != b.Confirmed() {
			if a.Confirmed() {
				return -1
			}
			return 1
		}
		return cmp.Or(order[a.Deviations[0].Oracle]-order[b.Deviations[0].Oracle], len(a.subjects())-len(b.subjects()))
	})
	for _, f := range all {
		i := slices.IndexFunc(out, func(of []*Finding) bool { return f.is(of[0]) })
		if i < 0 {
			out = append(out, []*Finding{f})
			continue
		}
		out[i] = append(out[i], f)
	}
	return out
}

// is tells whether a finding is one that is known, after all. A field of the resource's own spec that the operator has
// written, and what it makes of it in objects, is one.
func (f *Finding) is(known *Finding) bool {
	a, b := known.Deviations[0], f.Deviations[0]
	same := known.Property() == f.Property() && a.Oracle == b.Oracle && known.Restart == f.Restart && known.Delete == f.Delete && known.Made == f.Made
	return same && (a.Object.Resource == b.Object.Resource || a.Own || b.Own) && (a.Oracle != "custom" || a.Place == b.Place) || sameField(a, b) || f.more(known)
}

// more tells whether a finding about several properties at once is one that one of them shows alone: what leads it is
// what that one shows, too, or reconciles of the same controller go on failing behind either, which leave whatever
// comes behind undone. What it shows beside something else is not: the change of that one is a part of it.
func (f *Finding) more(one *Finding) bool {
	alone, several := one.subjects(), f.subjects()
	if len(alone) != 1 || len(several) < 2 || !slices.Contains(several, alone[0]) || f.Restart != one.Restart || f.Delete != one.Delete || f.Made != one.Made {
		return false
	}
	return slices.ContainsFunc(one.Deviations, func(d oracle.Deviation) bool {
		return sameDifference(d, f.Deviations[0]) || oracle.Fails(d) && slices.ContainsFunc(f.Deviations, func(other oracle.Deviation) bool {
			return oracle.Fails(other) && other.Place == d.Place
		})
	})
}
