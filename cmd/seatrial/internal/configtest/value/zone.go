package value

import (
	"regexp"
	"slices"
	"time"
	_ "time/tzdata" // the zones that there are, also where the machine has none
)

// zoned is the form of the name of a time zone that has an area.
var zoned = regexp.MustCompile(`^(Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)/[A-Za-z_+0-9/-]+$`)

// zones are some that there are, from east to west.
var zones = []string{
	"Pacific/Auckland", "Australia/Sydney", "Australia/Melbourne", "Asia/Tokyo", "Asia/Seoul", "Asia/Shanghai", "Asia/Singapore", "Asia/Bangkok", "Asia/Jakarta", "Asia/Dhaka",
	"Asia/Kolkata", "Asia/Colombo", "Asia/Karachi", "Asia/Tashkent", "Asia/Dubai", "Asia/Muscat", "Europe/Moscow", "Europe/Istanbul", "Africa/Nairobi", "Europe/Athens", "Europe/Helsinki", "Africa/Johannesburg", "Africa/Maputo", "Africa/Cairo",
	"Europe/Berlin", "Europe/Paris", "Europe/Madrid", "Africa/Lagos", "Africa/Algiers", "Europe/London", "Europe/Lisbon", "Etc/UTC", "Africa/Abidjan", "America/Sao_Paulo", "America/Bahia",
	"America/New_York", "America/Toronto", "America/Chicago", "America/Winnipeg", "America/Denver", "America/Edmonton", "America/Los_Angeles", "America/Vancouver", "Pacific/Honolulu",
}

func init() {
	// Another zone that has the same time all year, as far as there is one, and then the others: who only asks for the
	// time passes with the first.
	register(28, func(text string) ([]string, bool) {
		own := zone(text)
		return nearTo(own, text), own != nil
	})
	sorted(sort{28, "time zone", func(p *asked) bool { return p.shaped() && zone(p.plain) != nil }, func(p *asked) {
		near := nearTo(zone(p.plain), p.plain)
		p.add(Valid, near[0], "a zone beside it")
		p.add(Valid, near[len(near)-1], "a zone far away")
		p.add(Valid, "UTC", "no zone of any place")
		p.add(Invalid, p.plain+other, "no zone")
		p.add(Invalid, other, "no zone")
		p.add(Unsure, "", "empty")
	}})
}

// nearTo are the other zones, from those that have the same time on.
func nearTo(own *time.Location, name string) []string {
	if own == nil {
		return nil
	}
	others := slices.DeleteFunc(slices.Clone(zones), func(z string) bool { return z == name })
	slices.SortStableFunc(others, func(a, b string) int { return apartFrom(own, a) - apartFrom(own, b) })
	return others
}

// noZone are zones that have the same time as one that was there, where another text that is given for it is none; nil
// if it is one, or was none.
func noZone(old, now string) []string {
	own := zone(old)
	if _, err := time.LoadLocation(now); own == nil || err == nil {
		return nil
	}
	return slices.DeleteFunc(nearTo(own, old), func(z string) bool { return apartFrom(own, z) != 0 })
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

// apartFrom is how many seconds a zone is away from another one, in winter and in summer.
func apartFrom(of *time.Location, name string) (seconds int) {
	other := zone(name)
	for _, month := range []time.Month{time.January, time.July} {
		at := time.Date(2024, month, 1, 0, 0, 0, 0, time.UTC)
		_, a := at.In(of).Zone()
		_, b := at.In(other).Zone()
		seconds += max(a-b, b-a)
	}
	return seconds
}
