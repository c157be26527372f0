package value

import (
	"cmp"
	"regexp"
	"slices"
	"time"
	_ "time/tzdata" // the zones that there are, also where the machine has none
)

// zoned is the form of the name of a time zone that has an area.
var zoned = regexp.MustCompile(`^(Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)/[A-Za-z_+0-9/-]+$`)

// zones are some that there are, from east to west.
var zones = []string{
	"Pacific/Auckland", "Australia/Sydney", "Australia/Melbourne", "Asia/Tokyo", "Asia/Seoul", "Asia/Shanghai", "Asia/Singapore",
	"Asia/Bangkok", "Asia/Jakarta", "Asia/Dhaka", "Asia/Kolkata", "Asia/Colombo", "Asia/Karachi", "Asia/Tashkent", "Asia/Dubai",
	"Asia/Muscat", "Europe/Moscow", "Europe/Istanbul", "Africa/Nairobi", "Europe/Athens", "Europe/Helsinki", "Africa/Johannesburg",
	"Africa/Maputo", "Europe/Berlin", "Europe/Paris", "Europe/Madrid", "Africa/Lagos", "Africa/Algiers", "Europe/London",
	"Europe/Lisbon", "Etc/UTC", "Africa/Abidjan", "America/Sao_Paulo", "America/Bahia", "America/New_York", "America/Toronto",
	"America/Chicago", "America/Winnipeg", "America/Denver", "America/Edmonton", "America/Los_Angeles", "America/Vancouver", "Pacific/Honolulu",
}

func init() {
	// A zone that has another time, whatever a test makes of it: one that asserts the time of the old one fails with
	// each.
	register(28, func(text string) ([]string, bool) {
		_, others := beside(text)
		return others, others != nil
	})
	sorted(sort{28, "time zone", func(p *asked) bool { return p.shaped() && zone(p.plain) != nil }, func(p *asked) {
		same, others := beside(p.plain)
		for _, z := range same {
			p.add(Valid, z, "a zone that has the same time")
		}
		p.add(Unsure, others[0], "a zone far away")
		p.add(Unsure, "UTC", "no zone of any place")
		p.add(Invalid, p.plain+other, "no zone")
		p.add(Invalid, other, "no zone")
		p.add(Unsure, "", "empty")
	}})
}

// zone is a time zone by its name; nil if that is no name of the form that zones have, or there is none of it.
func zone(name string) *time.Location {
	if !zoned.MatchString(name) {
		return nil
	}
	z, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	return z
}

// beside are the zones that have the same time as one in the winter and in the summer of a year, and the others, from
// the farthest on; none for what is no zone.
func beside(name string) (same, others []string) {
	own := zone(name)
	if own == nil {
		return nil, nil
	}
	apart := map[string]int{}
	for _, z := range zones {
		if apart[z] = apartFrom(own, zone(z)); z == name {
			continue
		}
		if apart[z] == 0 {
			same = append(same, z)
			continue
		}
		others = append(others, z)
	}
	slices.SortStableFunc(others, func(a, b string) int { return cmp.Compare(apart[b], apart[a]) })
	return same, others
}

// apartFrom is how many seconds a zone is away from another one, in winter and in summer.
func apartFrom(of, other *time.Location) (seconds int) {
	for _, month := range []time.Month{time.January, time.July} {
		at := time.Date(2024, month, 1, 0, 0, 0, 0, time.UTC)
		_, a := at.In(of).Zone()
		_, b := at.In(other).Zone()
		seconds += max(a-b, b-a)
	}
	return seconds
}

// NoZone tells whether a text that is no time zone, as all know them, stands in the place of one: it has the form of
// one with an area, and there is none of that name.
func NoZone(old, now string) bool {
	return zoned.MatchString(Bare(now)) && noZone(Bare(old), Bare(now)) != nil
}

// noZone are zones that have the same time as one that was there, where another text that is given for it is none; nil
// if it is one, or was none.
func noZone(old, now string) []string {
	if _, err := time.LoadLocation(now); err == nil {
		return nil
	}
	same, _ := beside(old)
	return same
}
