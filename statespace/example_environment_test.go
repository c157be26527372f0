package statespace_test

import (
	"context"
	"fmt"

	"github.com/seatrial/seatrial/statespace"
)

const temperatures = 16

// room has a fan that goes by the temperature it last read.
type room struct {
	temperature, read uint8
	fan               bool
}

// fan is a Model. The temperature changes at any time to anything: it can be a
// part of the state, or be chosen by whoever reads it.
type fan struct{ chosen bool }

func (fan) Init(yield func(room) bool) { yield(room{}) }

func (f fan) Next(s room, yield func(statespace.Action, room) bool) {
	for t := range uint8(temperatures) {
		changed := s
		if f.chosen {
			changed.read = t
		} else {
			changed.temperature = t
		}
		if !yield(statespace.Action{Label: uint32(t)}, changed) {
			return
		}
	}
	reads, switches := s, s
	reads.read = s.temperature
	switches.fan = s.read > temperatures/2
	if !f.chosen && !yield(statespace.Action{Label: 100}, reads) {
		return
	}
	yield(statespace.Action{Label: 101}, switches)
}

// What determines the time of a check is the number of states first of all. A
// value of the environment that nobody constrains multiplies it, and need not:
// an actor that reads it may find any value. What an actor has read stays.
func Example_environment() {
	for _, m := range []fan{{}, {chosen: true}} {
		r, err := statespace.Check(context.Background(), m, []statespace.Property[room]{
			statespace.Sometimes("the fan runs", func(s room) bool { return s.fan }),
		}, statespace.Options{All: true})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Stats.States, r.Properties[0].Verdict == statespace.Holds)
	}
	// Output:
	// 512 true
	// 32 true
}
