package report

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/seatrial/seatrial/finding"
)

// Actions says of each action how often it was taken, a line each.
func Actions(all []finding.ActionCount) []string {
	var lines []string
	for _, a := range all {
		line := a.Name + ": never taken"
		if a.Steps > 0 {
			line = a.Name + ": " + Count(a.Steps, "step", "steps") + ", to " + Count(a.New, "new state", "new states")
		}
		if a.Location.File != "" {
			line += fmt.Sprintf(" (%s:%d)", filepath.Base(a.Location.File), a.Location.Line)
		}
		lines = append(lines, line)
	}
	return lines
}

// levelsShown is how many of the last levels a sentence has, and levelsCompared those whose growth is told.
const (
	levelsShown    = 8
	levelsCompared = 4
)

// Growth says in a few sentences how the states became so many, with at most so many names.
func Growth(g *finding.Growth, names int) []string {
	if g == nil || len(g.Levels) == 0 {
		return nil
	}
	first := max(0, len(g.Levels)-levelsShown)
	var sizes []string
	for _, n := range g.Levels[first:] {
		sizes = append(sizes, Thousands(n))
	}
	line := "states at each depth: " + strings.Join(sizes, ", ")
	if first > 0 {
		line = fmt.Sprintf("states at depths %d to %d: %s", first, len(g.Levels)-1, strings.Join(sizes, ", "))
	}
	whole := g.Levels
	if g.Partial {
		line += " so far"
		whole = whole[:len(whole)-1]
	}
	lines := []string{line + trend(whole)}
	var values []string
	for _, v := range g.Values[:min(len(g.Values), names)] {
		values = append(values, v.Name+" "+Thousands(v.Count))
	}
	if len(values) > 0 {
		lines = append(lines, "different values: "+strings.Join(values, ", "))
	}
	return lines
}

// trend says how the last levels compare with those before them.
func trend(levels []int) string {
	n := len(levels) - 1
	back := min(levelsCompared, n)
	if back <= 0 || levels[n-back] == 0 || levels[n] == 0 {
		return ""
	}
	factor := math.Pow(float64(levels[n])/float64(levels[n-back]), 1/float64(back))
	switch {
	case factor >= 1.005:
		return fmt.Sprintf("; each has %.2f times those of the one before, and there is no end in sight", factor)
	case factor <= 0.995:
		return fmt.Sprintf("; each has %.2f times those of the one before", factor)
	}
	return "; each has as many as the one before"
}
