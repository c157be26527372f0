package value

import (
	"strconv"
	"strings"
)

func init() {
	sorted(sort{30, "size", func(p *asked) bool {
		found := quantity.FindStringSubmatch(p.plain)
		return p.shaped() && found != nil && units[found[2]] != ""
	}, sizes})
}

// units are those of sizes, with the other one that is called alike.
var units = map[string]string{
	"Ki": "k", "Mi": "M", "Gi": "G", "Ti": "T", "k": "Ki", "M": "Mi", "G": "Gi", "T": "Ti", "KB": "KiB", "MB": "MiB", "GB": "GiB", "KiB": "KB", "MiB": "MB", "GiB": "GB",
}

// sizes are amounts near the known one, also in the other unit of that name, and what is none.
func sizes(p *asked) {
	for _, other := range texts(p.plain, nil) {
		p.add(Valid, other, "near "+p.plain)
	}
	found := quantity.FindStringSubmatch(p.plain)
	p.add(Valid, found[1]+units[found[2]], "with the other unit")
	p.add(Unsure, "0"+found[2], "none")
	if n, err := strconv.ParseFloat(found[1], 64); err == nil {
		p.add(Unsure, number(n*10)+found[2], "ten times as much")
	}
	p.add(Unsure, "-"+strings.TrimPrefix(p.plain, "-"), "negative")
	p.add(Unsure, found[1], "without a unit")
	p.add(Invalid, found[1]+"parsecs", "of a unit that no size has")
	p.add(Invalid, "some", "no size")
	p.add(Unsure, "", "empty")
}
