package choose

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestFlagFile: a file that nobody is known to read, and most of whose keys are called as flags are, says what these
// are.
func TestFlagFile(t *testing.T) {
	m := &parameter.Map{Parameters: []parameter.Class{{ID: "flag:--listen"}, {ID: "flag:--probe.interval"}, {ID: "flag:--probe.hosts"}, {ID: "flag:--name"}, {ID: "field:Config.name"}}, Types: []parameter.ID{"field:Config"}}
	for _, c := range []struct {
		name, before, after string
		want                []string
	}{
		{"a flag for each key", "listen: a\nprobe: {interval: 1s, hosts: [a]}\n", "listen: a\nprobe: {interval: 2s, hosts: [a]}\n", []string{"probe.interval is flag:--probe.interval: 1s to 2s"}},
		{"a list", "listen: a\nprobe: {interval: 1s, hosts: [a]}\n", "listen: a\nprobe: {interval: 1s, hosts: [b, c]}\n", []string{"probe.hosts is flag:--probe.hosts: a to b and c"}},
		{"a list of something else", "listen: a\nprobe: {interval: 1s, hosts: [{a: 1}]}\n", "listen: a\nprobe: {interval: 1s, hosts: [{a: 2}]}\n", []string{"probe.hosts[0].a is nothing: 1 to 2"}},
		{"something else, with two keys that flags have", "listen: a\nprobe: {interval: 1s}\nx: 1\ny: 2\n", "listen: b\nprobe: {interval: 1s}\nx: 1\ny: 2\n", []string{"listen is nothing: a to b"}},
		{"one key", "listen: a\n", "listen: b\n", []string{"listen is nothing: a to b"}},
		{"somebody reads it", "listen: a\nprobe: {interval: 1s}\nname: a\n", "listen: a\nprobe: {interval: 1s}\nname: b\n", []string{`name is field:Config.name: "a" to "b"`}},
	} {
		parse := func(text string) []change.Setting {
			out, err := change.Parse("a.yaml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		before, after := parse(c.before), parse(c.after)
		if diff := cmp.Diff(c.want, linked(Link(m, change.Between(before, after), before, after))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
