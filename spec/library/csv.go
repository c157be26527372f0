package library

import (
	"strings"

	"github.com/seatrial/seatrial/spec/value"
)

var _ = enter("CSV", nil,
	reading("CSVRecords", 1, 0, func(text string, _ []Value) Value { return value.OfInt(int64(len(rows(text)))) }),
	reading("CSVRead", 3, 2, func(text string, args []Value) Value {
		delimiter, _ := args[1].Text()
		if delimiter == "" {
			fail("%s is no delimiter", args[1])
		}
		columns := args[0].Sequence("the columns of CSVRead")
		var records []Value
		for _, line := range rows(text) {
			cells := strings.Split(line, delimiter)
			if len(cells) != len(columns) {
				value.Fail("a line of %s has %d columns, not %d: %s", value.Describe(args[2]), len(cells), len(columns), line)
			}
			items := make([]Value, len(cells))
			for i, cell := range cells {
				items[i] = value.OfString(cell)
			}
			records = append(records, value.OfPairs(columns, items))
		}
		return value.OfTuple(records)
	}),
	refused("CSVWrite", 3, "writes a file"),
	refused("CSVWriteRecord", 4, "writes a file"),
)

// rows are the lines of a text that are not empty.
func rows(text string) (all []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			all = append(all, line)
		}
	}
	return all
}
