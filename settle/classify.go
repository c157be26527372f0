package settle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/statespace"
	"github.com/seatrial/seatrial/trace"
)

// The classes of what is violated that the search itself does not tell, but another one with
// less that goes wrong, or more that is assumed.
const (
	// HealsByResync: it is stuck, and would not be if all were handed to handlers again.
	HealsByResync = "heals only by resync"
	// NeedsStaleCache: it does not happen if caches are never behind.
	NeedsStaleCache = "needs a stale cache"
	// NeedsOlderList: it does not happen if processes begin with what there is.
	NeedsOlderList = "needs an older list"
	// ReadYourWritesMends: it does not happen if processes wait for their own writes.
	ReadYourWritesMends = "read-your-writes mends it"
)

// Stuck, livelocks and Contention are classes that follow from the steps.
const (
	// Stuck: nothing happens any more.
	Stuck = "stuck"
	// Livelock begins the class of what goes on for ever, which says after how many steps it is
	// where it was.
	Livelock = "livelock"
	// Contention: in each round something is refused because another has written.
	Contention = "contention"
)

// classesOf are those that follow from the steps.
func (p *PropertyResult) classesOf() []string {
	if p.Verdict != statespace.Violated || p.Loop < 0 {
		return nil
	}
	if p.Loop == len(p.Steps) {
		return []string{Stuck}
	}
	classes := []string{fmt.Sprintf(Livelock+" of %d steps", len(p.Steps)-p.Loop)}
	for _, s := range p.Steps[p.Loop:] {
		if strings.Contains(s.Action, conflict) {
			return append(classes, Contention)
		}
	}
	return classes
}

// conflict is in what the API server answers to those who have not seen the newest version.
const conflict = "Operation cannot be fulfilled on "

// classifyMax bounds the states of each search for a class.
const classifyMax = 50_000

// classify finds out what a violation would be mended by: what is not decided within the
// bounds, or in time, is not told.
func (x *explorer) classify(ctx context.Context, p *PropertyResult) {
	if p.Verdict != statespace.Violated {
		return
	}
	type change struct {
		class string
		to    func(*Config)
	}
	processes := func(set func(*Process)) func(*Config) {
		return func(c *Config) {
			for i := range c.Processes {
				set(&c.Processes[i])
			}
		}
	}
	var all []change
	if p.Loop == len(p.Steps) {
		all = append(all, change{HealsByResync, processes(func(p *Process) { p.Resync = true })})
	}
	if p.freezes() {
		all = append(all, change{NeedsStaleCache, func(c *Config) { c.Faults.Stale = false }})
		all = append(all, change{ReadYourWritesMends, processes(func(p *Process) { p.ReadYourWrites = true })})
	}
	if slices.ContainsFunc(p.Steps, func(s trace.Step) bool { return s.Action == older }) {
		all = append(all, change{NeedsOlderList, func(c *Config) { c.Faults.Older = false }})
	}
	for _, one := range all {
		c := *x.config
		c.Setup, c.Processes = nil, append([]Process{}, x.processes...)
		one.to(&c)
		if x.unchanged(c.Processes) && c.Faults == x.config.Faults {
			continue
		}
		if c.holds(ctx, p.Name) {
			p.Classes = append(p.Classes, one.class)
		}
	}
}

// unchanged tells whether processes are as they are already.
func (x *explorer) unchanged(processes []Process) bool {
	for i, p := range x.processes {
		if p.Resync != processes[i].Resync || p.ReadYourWrites != processes[i].ReadYourWrites {
			return false
		}
	}
	return true
}

// freezes tells whether a cache is frozen on the way.
func (p *PropertyResult) freezes() bool {
	for _, s := range p.Steps {
		if s.Turn && strings.HasSuffix(s.Action, stops) {
			return true
		}
	}
	return false
}

// holds tells whether a property is known to hold within the bounds; an error is none of the
// violation that is asked about, and says as little as a bound that is too small.
func (c *Config) holds(ctx context.Context, name string) bool {
	x, err := newExplorer(c)
	if err != nil {
		return false
	}
	defer x.close()
	all, err := x.properties()
	if err != nil {
		return false
	}
	var asked []property
	for _, p := range all {
		if p.name == name || p.wrong == nil { // a breach ends behaviours
			asked = append(asked, p)
		}
	}
	x.atOnce = true
	found, err := x.check(ctx, x, asked, statespace.Options{Workers: c.Workers, MaxStates: min(c.most(), classifyMax)})
	for _, p := range found.Properties {
		if p.Verdict != statespace.Holds {
			return false
		}
	}
	return err == nil
}
