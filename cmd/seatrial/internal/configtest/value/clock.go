package value

import (
	"fmt"
	"regexp"
	"strconv"
)

func init() {
	register(29, func(text string) ([]string, bool) {
		c, is := clockOf(text)
		if !is {
			return nil, false
		}
		return []string{c.later(1), c.later(hours - 1), c.later(hours / 2)}, true
	})
	sorted(sort{29, "time of day", func(p *asked) bool {
		_, is := clockOf(p.plain)
		return p.shaped() && is
	}, clocks})
}

const hours = 24

var ofDay = regexp.MustCompile(`^([01]?[0-9]|2[0-3])(:[0-5][0-9](?::[0-5][0-9])?)$`)

// clock is a time of day: its hour, with as many digits as it is written with, and what is behind that.
type clock struct {
	hour, digits int
	rest         string
}

// clockOf is a text as a time of day: two digits behind a colon are no port of a host that has no name.
func clockOf(text string) (clock, bool) {
	part := ofDay.FindStringSubmatch(text)
	if part == nil {
		return clock{}, false
	}
	hour, _ := strconv.Atoi(part[1]) // it is of digits
	return clock{hour, len(part[1]), part[2]}, true
}

// later is some hours later, on the next day where this one is over.
func (c clock) later(by int) string { return c.at((c.hour+by)%hours, c.rest) }

func (c clock) at(hour int, rest string) string { return fmt.Sprintf("%0*d%s", c.digits, hour, rest) }

// clocks are times near the known one, on the other side of midday and next to midnight, and what is none.
func clocks(p *asked) {
	c, _ := clockOf(p.plain) // it is asked for one
	p.add(Valid, c.later(1), "an hour later")
	p.add(Valid, c.later(hours-1), "an hour earlier")
	p.add(Valid, c.later(hours/2), "half a day later")
	p.add(Valid, c.at(hours-1, c.rest), "in the last hour of the day")
	p.add(Unsure, c.at(0, c.rest), "in the first hour of the day")
	p.add(Invalid, c.at(hours+1, c.rest), "no hour of a day")
	p.add(Invalid, c.at(c.hour, ":77"+c.rest[len(":00"):]), "no minute of an hour")
	p.add(Invalid, "noon", "no time")
	p.add(Unsure, "", "empty")
}
