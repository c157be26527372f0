package configtest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestSeveral: a flag that two commands have, or that is a part of a parameter, joins nothing, and is read by all tests
// that may read it. A flag that only tests have is none, and neither is that for help.
func TestSeveral(t *testing.T) {
	ids := func(all ...parameter.ID) []parameter.ID { return all }
	d := declared{
		Several:    ids("flag:--port"),
		OfTests:    ids("flag:--update"),
		Parts:      [][2]parameter.ID{{"flag:--cert", "field:a.Config.TLS"}, {"flag:--key", "field:a.Config.TLS"}},
		Parameters: ids("flag:--port", "flag:--cert", "flag:--key", "field:a.Config.TLS", "flag:--name", "field:a.Config.Port", "field:b.Config.Port"),
		Aliases:    [][2]parameter.ID{{"flag:--name", "field:a.Config.Name"}, {"flag:--port", "field:a.Config.Port"}, {"flag:--port", "field:b.Config.Port"}},
	}
	m := newMap(&run.Module{}, d, []seen{{observed: observed{Observations: []observation{
		{Test: "TestA", Ending: run.Passed, Reads: ids("field:a.Config.Port", "field:a.Config.Name", "flag:--help", "flag:--update"), Sets: ids("flag:--update")},
		{Test: "TestB", Ending: run.Passed, Reads: ids("field:b.Config.Port")},
		{Test: "TestOwn", Ending: run.Passed, Reads: ids("field:b.Config.Port"), Sets: ids("field:b.Config.Port")},
		{Test: "TestSecure", Ending: run.Passed, Reads: ids("field:a.Config.TLS"), Sets: ids("flag:--key")},
		{Test: "TestArguments", Ending: run.Passed, Reads: ids("field:b.Config.Port"), Sets: ids("flag:--port")},
	}}}})
	want := []parameter.Class{
		{ID: "flag:--cert", Aliases: []parameter.ID{}},
		{ID: "flag:--key", Aliases: []parameter.ID{}},
		{ID: "flag:--name", Aliases: ids("field:a.Config.Name")},
		{ID: "flag:--port", Aliases: []parameter.ID{}, Several: true},
		{ID: "field:a.Config.Port", Aliases: []parameter.ID{}},
		{ID: "field:a.Config.TLS", Aliases: []parameter.ID{}},
		{ID: "field:b.Config.Port", Aliases: []parameter.ID{}},
	}
	if diff := cmp.Diff(want, m.Parameters); diff != "" {
		t.Errorf("the parameters (-want +got):\n%s", diff)
	}
	tests := []parameter.Test{
		{Name: "TestA", Reads: ids("flag:--name", "flag:--port", "field:a.Config.Port")},
		{Name: "TestB", Reads: ids("flag:--port", "field:b.Config.Port")},
		{Name: "TestOwn", Sets: ids("field:b.Config.Port"), Own: ids("field:b.Config.Port")},
		{Name: "TestSecure", Reads: ids("flag:--cert", "field:a.Config.TLS"), Sets: ids("flag:--key")},
		{Name: "TestArguments", Reads: ids("field:b.Config.Port"), Sets: ids("flag:--port")},
	}
	if diff := cmp.Diff(tests, m.Packages[0].Tests); diff != "" {
		t.Errorf("the tests (-want +got):\n%s", diff)
	}
}

// TestRoughly: a test that takes a little longer on another day is mapped with the same time.
func TestRoughly(t *testing.T) {
	for took, want := range map[time.Duration]time.Duration{
		0: 0, 1: time.Second / 16, 60 * time.Millisecond: time.Second / 16, 300 * time.Millisecond: time.Second, time.Second: time.Second,
		1100 * time.Millisecond: 4 * time.Second, 3900 * time.Millisecond: 4 * time.Second, 10 * time.Second: 16 * time.Second,
	} {
		if got := roughly(took); got != want {
			t.Errorf("%v is about %v, want %v", took, got, want)
		}
		m := newMap(&run.Module{}, declared{}, []seen{{observed: observed{Observations: []observation{{Test: "Test", Took: took, Starts: took > time.Second, Reads: []parameter.ID{"env:X"}}}}}})
		if got := m.Packages[0].Tests[0].Took; got != want {
			t.Errorf("the map has %v for %v, want %v", got, took, want)
		}
		chosen := choose.Tests(m, []choose.Change{{Class: &parameter.Class{ID: "env:X"}}})
		if len(chosen) != 1 || chosen[0].Took != want || chosen[0].Starts != (took > time.Second) {
			t.Errorf("what is chosen is %v", chosen)
		}
	}
}
