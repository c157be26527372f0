package choose

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// mostOpening bounds how many tests are run with a file of their own that is nearly what is deployed.
const mostOpening = 24

// Opening are the tests that open one of some files, the quickest first: they may be run with all changes in it.
func Opening(m *parameter.Map, changes []Change, files []string) []Test {
	var out []Test
	for _, p := range m.Packages {
		for _, t := range p.Tests {
			at := slices.IndexFunc(files, func(file string) bool { return slices.Contains(t.Data, file) })
			file := opened(t, files)
			if at >= 0 {
				file = files[at]
			}
			if file == "" || t.Took > longestSame {
				continue
			}
			chosen := Test{Package: p.Path, Name: t.Name, Took: t.Took, Starts: t.Starts, File: file, Limit: max(leastSame, timesSame*t.Took)}
			for i := range changes {
				chosen.Reads = append(chosen.Reads, i)
			}
			out = append(out, chosen)
		}
	}
	return soonest(out, mostOpening)
}
