package settle

import (
	"fmt"
	"reflect"
	"strings"
)

// Budget bounds how often each fault happens in one behaviour, for a search that would have no
// end otherwise, or come to it late. 0 is no bound. What is bounded is counted in every state, which
// makes more states of one; and a verdict is about no more than that many.
type Budget struct {
	Crash, Timeout, Stale, Older, Late, Evict, Recreate int
	// Users is how often they create or change what is Desired.
	Users int
	// Environment is how often something goes wrong with its actors.
	Environment int
}

// budgetMax bounds each number of a Budget, so that it is counted in a byte.
const budgetMax = 255

// spent is how often each has happened, in the order of the fields of a Budget.
type spent [9]uint8

// most are the numbers of a Budget in order.
func (b *Budget) most() [len(spent{})]int {
	return [...]int{b.Crash, b.Timeout, b.Stale, b.Older, b.Late, b.Evict, b.Recreate, b.Users, b.Environment}
}

// of is the number for a fault, by its name; 0 if there is no bound.
func (b *Budget) of(fault string) int {
	if f := reflect.ValueOf(*b).FieldByName(fault); f.IsValid() {
		return int(f.Int())
	}
	return 0
}

func (b *Budget) check() error {
	for i, most := range b.most() {
		if most < 0 || most > budgetMax {
			return fmt.Errorf("settle: Faults.Budget.%s is %d: it is 0 for no bound, or up to %d", reflect.TypeFor[Budget]().Field(i).Name, most, budgetMax)
		}
	}
	return nil
}

// within leaves out the steps for which a node has nothing left, and counts the others.
func (x *explorer) within(n *node, emit emit) emit {
	if x.config.Faults.Budget == (Budget{}) {
		return emit
	}
	most := x.config.Faults.Budget.most()
	return func(s step, to *node) {
		for _, i := range s.spends() {
			if most[i] == 0 {
				continue
			}
			if int(n.spent[i]) >= most[i] {
				return
			}
			to.spent[i]++
		}
		emit(s, to)
	}
}

// used tells whether a fault can happen no more.
func (x *explorer) used(n *node, fault string) bool {
	most := x.config.Faults.Budget.of(fault)
	f, ok := reflect.TypeFor[Budget]().FieldByName(fault)
	return ok && most > 0 && int(n.spent[f.Index[0]]) >= most
}

// spends are the places in a Budget of what a step is.
func (s *step) spends() (all []int) {
	names := []string{s.fault}
	switch {
	case s.freezes:
		names = []string{"Stale"}
	case s.fault == "Older":
		names = []string{"Crash", "Older"}
	case strings.HasPrefix(s.fault, wishPrefix):
		names = []string{"Users"}
	}
	for _, name := range names {
		if f, ok := reflect.TypeFor[Budget]().FieldByName(name); ok {
			all = append(all, f.Index[0])
		}
	}
	return all
}
