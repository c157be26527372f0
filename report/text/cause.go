package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/finding"
)

// causeLines is how many lines one cause has at most: places in what was rendered are
// long.
func causeLines(all []finding.Cause) int {
	if slices.ContainsFunc(all, func(c finding.Cause) bool { return c.Location.Made() }) {
		return 3
	}
	return 2
}

// causes is a line per message, with the places that it is about together.
func causes(all []finding.Cause) []string {
	var order []string
	at := map[string][]finding.Location{}
	for _, c := range all {
		if _, seen := at[c.Message]; !seen {
			order = append(order, c.Message)
		}
		at[c.Message] = append(at[c.Message], c.Location)
	}
	for i, message := range order {
		order[i] = places(at[message]) + message
	}
	return order
}

// places are locations as a.yaml:3, 7, b.yaml:2: each file once, its lines in
// ascending order, and then the objects of what is no file.
func places(all []finding.Location) string {
	var files, said, made []string
	lines := map[string][]int{}
	for _, l := range all {
		if l.Made() {
			if at := l.FileLine(); !slices.Contains(made, at) {
				made = append(made, at)
			}
			continue
		}
		if !slices.Contains(files, l.File) {
			files = append(files, l.File)
		}
		if l.Line > 0 && !slices.Contains(lines[l.File], l.Line) {
			lines[l.File] = append(lines[l.File], l.Line)
		}
	}
	const linesShownMax = 5
	for _, file := range files {
		slices.Sort(lines[file])
		numbers := lines[file]
		text := place(finding.Location{File: file, Line: first(numbers)})
		text = strings.TrimSuffix(text, "  ")
		for i, n := range numbers {
			if i == linesShownMax {
				text += fmt.Sprintf(", … (%d)", len(numbers))
				break
			}
			if i > 0 {
				text += fmt.Sprintf(", %d", n)
			}
		}
		if text != "" {
			said = append(said, text)
		}
	}
	said = append(said, made...)
	if len(said) == 0 {
		return ""
	}
	return strings.Join(said, ", ") + "  "
}

func first(numbers []int) int {
	if len(numbers) == 0 {
		return 0
	}
	return numbers[0]
}

func place(l finding.Location) string {
	if at := l.FileLine(); at != "" {
		return at + "  "
	}
	return ""
}
