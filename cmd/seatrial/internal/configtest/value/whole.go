package value

import (
	"math"
	"strconv"
	"strings"
)

func init() {
	sorted(sort{10, "number", func(p *asked) bool {
		if p.typed("int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64") {
			return true
		}
		if !p.shaped() {
			return false
		}
		_, err := strconv.ParseFloat(p.plain, 64)
		return err == nil && (p.Type == "" || !p.text)
	}, numeric})
}

// counts are words of names of which fewer than none is none.
var counts = []string{
	"port", "workers", "replicas", "size", "count", "burst", "length", "capacity", "threads", "attempts", "retries", "width", "height", "percent", "quality", "batch",
}

// tries are words of names of which none, and many more, are as good.
var tries = []string{"attempts", "retries"}

// widths are the largest numbers of narrow types, and the smallest.
var widths = map[string][2]float64{
	"int8": {math.MinInt8, math.MaxInt8}, "int16": {math.MinInt16, math.MaxInt16}, "int32": {math.MinInt32, math.MaxInt32},
	"uint8": {0, math.MaxUint8}, "uint16": {0, math.MaxUint16}, "uint32": {0, math.MaxUint32},
}

// bounds are the smallest and the largest valid number, with what says so; without an end they are infinite.
func (p *asked) bounds() (least, most float64, says string) {
	least, most = math.Inf(-1), math.Inf(1)
	switch {
	case p.named("port"):
		least, most, says = 1, math.MaxUint16, "port"
	case p.named("percent", "percentage"):
		least, most, says = 1, 100, "percentage"
	}
	if v, err := strconv.ParseFloat(p.Least, 64); err == nil {
		least, says = v, "number that is allowed"
	}
	if v, err := strconv.ParseFloat(p.Most, 64); err == nil {
		most, says = v, "number that is allowed"
	}
	return least, most, says
}

// numeric are numbers near the known one and at bounds, and what is none.
func numeric(p *asked) {
	known, err := strconv.ParseFloat(p.plain, 64)
	if err != nil {
		known = 5
		if p.named("port") {
			known = 8080
		}
		if p.Least == "" && p.Most == "" {
			p.add(Valid, number(known), "some number")
		}
	}
	least, most, bound := p.bounds()
	for _, n := range numbers(known) {
		if least <= n && n <= most {
			p.add(Valid, number(n), "near "+number(known))
		}
	}
	p.atBounds(least, most, bound)
	if p.named(tries...) {
		p.add(Valid, "0", "none")
		p.add(Valid, number(known*10), "ten times as many")
	}
	if least <= 0 && 0 <= most || bound == "percentage" || bound == "port" {
		p.add(Unsure, "0", "none")
	}
	if known*10 <= most && math.Abs(known*10) <= math.MaxUint16 {
		p.add(Unsure, number(known*10), "ten times as much")
	}
	goType := strings.TrimPrefix(p.Type, "*")
	switch {
	case strings.HasPrefix(goType, "uint"):
		p.add(Invalid, "-1", "negative")
	case p.named(counts...) && !p.named("max", "limit"):
		p.add(Invalid, "-1", "negative")
	}
	if w, is := widths[goType]; is {
		p.add(Invalid, number(w[1]+1), "above the largest number of "+goType)
		if w[0] < 0 {
			p.add(Invalid, number(w[0]-1), "below the smallest number of "+goType)
		}
	}
	p.noNumber(goType)
}

// atBounds are numbers at stated bounds, and next to them.
func (p *asked) atBounds(least, most float64, bound string) {
	if !math.IsInf(least, 0) {
		p.add(Valid, number(least), "the smallest "+bound)
		if p.Least != "" {
			p.add(Invalid, number(least-1), "below the smallest "+bound)
		}
	}
	if math.IsInf(most, 0) {
		return
	}
	p.add(Valid, number(most), "the largest "+bound)
	above := Invalid
	if bound == "percentage" {
		above = Unsure // of more than all
	}
	p.add(above, number(most+1), "above the largest "+bound)
}

// noNumber is what no number is, where it is known that it has to be one.
func (p *asked) noNumber(goType string) {
	if goType == "" && p.text {
		p.add(Unsure, "some", "not a number")
		return
	}
	p.add(Invalid, "some", "not a number")
	p.bare(Invalid, "true", "a truth for a number")
	if !strings.HasPrefix(goType, "float") && p.plain == strings.TrimRight(p.plain, ".") && !strings.Contains(p.plain, ".") {
		p.add(Invalid, "1.5", "a fraction")
	}
	if p.text {
		p.add(Unsure, "", "empty")
	}
}
