package statespace_test

import (
	"context"
	"fmt"

	"github.com/seatrial/seatrial/statespace"
)

// Two-phase commit: two resource managers and a transaction manager that
// decides. Messages stay in the network once sent.
type commitState struct {
	Manager  [2]managerState
	Decision decision
	// Sent are the managers whose "prepared" message is in the network,
	// Received those that the transaction manager has heard from.
	Sent, Received [2]bool
}

type managerState uint8

const (
	working managerState = iota
	prepared
	committed
	aborted
)

type decision uint8

const (
	undecided decision = iota
	commit
	abort
)

type twoPhaseCommit struct{}

func (twoPhaseCommit) Init(yield func(commitState) bool) { yield(commitState{}) }

func (twoPhaseCommit) Next(s commitState, yield func(statespace.Action, commitState) bool) {
	const coordinator, manager, environment = 0, 1, 2
	if s.Decision == undecided {
		if s.Received == [2]bool{true, true} {
			t := s
			t.Decision = commit
			yield(statespace.Action{Class: coordinator}, t)
		}
		t := s
		t.Decision = abort
		yield(statespace.Action{Class: coordinator}, t)
	}
	for i, m := range s.Manager {
		t := s
		switch {
		case s.Sent[i] && !s.Received[i] && s.Decision == undecided:
			t.Received[i] = true
			yield(statespace.Action{Class: coordinator}, t)
		case m <= prepared && s.Decision == commit:
			t.Manager[i] = committed
			yield(statespace.Action{Class: manager}, t)
		case m <= prepared && s.Decision == abort:
			t.Manager[i] = aborted
			yield(statespace.Action{Class: manager}, t)
		}
		if m == working {
			t := s
			t.Manager[i], t.Sent[i] = prepared, true
			yield(statespace.Action{Class: manager}, t)
			t = s
			t.Manager[i] = aborted
			yield(statespace.Action{Class: environment}, t)
		}
	}
}

func ExampleCheck() {
	has := func(want managerState) func(commitState) bool {
		return func(s commitState) bool { return s.Manager[0] == want || s.Manager[1] == want }
	}
	result, err := statespace.Check(context.Background(), twoPhaseCommit{}, []statespace.Property[commitState]{
		statespace.Always("consistent", func(s commitState) bool { return !has(committed)(s) || !has(aborted)(s) }),
		statespace.LeadsTo("prepared is decided", has(prepared), func(s commitState) bool { return !has(prepared)(s) }),
		statespace.Sometimes("commits", has(committed)),
	}, statespace.Options{Classes: []statespace.Class{
		{Name: "transaction manager", Fairness: statespace.Weak},
		{Name: "resource managers", Fairness: statespace.Weak},
		{Name: "spontaneous aborts", Fairness: statespace.Unfair},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range result.Properties {
		fmt.Printf("%s: %s\n", p.Name, []string{"inconclusive", "holds", "violated"}[p.Verdict])
	}
	fmt.Printf("%d states, complete: %v\n", result.Stats.States, result.Stats.Complete)
	// Output:
	// consistent: holds
	// prepared is decided: holds
	// commits: holds
	// 56 states, complete: true
}

// An operator creates a child under a generated name and then records the name
// in its status. What it has created but not recorded is only in its memory.
type operatorState struct {
	Children   uint8
	InMemory   bool
	InStatus   bool
	CrashesYet uint8
}

const (
	create uint32 = iota
	record
	crash
)

type operator struct{ crashes uint8 }

func (operator) Init(yield func(operatorState) bool) { yield(operatorState{}) }

func (o operator) Next(s operatorState, yield func(statespace.Action, operatorState) bool) {
	const reconcile, environment = 0, 1
	switch t := s; {
	case s.InMemory && !s.InStatus:
		t.InStatus = true
		yield(statespace.Action{Class: reconcile, Label: record}, t)
	case !s.InStatus:
		t.Children, t.InMemory = s.Children+1, true
		yield(statespace.Action{Class: reconcile, Label: create}, t)
	}
	if s.CrashesYet < o.crashes {
		t := s
		t.InMemory, t.CrashesYet = false, s.CrashesYet+1
		yield(statespace.Action{Class: environment, Label: crash}, t)
	}
}

func ExampleCheck_operator() {
	options := statespace.Options{All: true, Classes: []statespace.Class{
		{Name: "reconcile", Fairness: statespace.Weak},
		{Name: "environment", Fairness: statespace.Unfair},
	}}
	result, err := statespace.Check(context.Background(), operator{crashes: 1}, []statespace.Property[operatorState]{
		statespace.EventuallyAlways("recorded in the end", func(s operatorState) bool { return s.InStatus }),
		statespace.Always("at most one child", func(s operatorState) bool { return s.Children <= 1 }),
	}, options)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range result.Properties {
		fmt.Printf("%s: %s\n", p.Name, []string{"inconclusive", "holds", "violated"}[p.Verdict])
		if p.Trace == nil {
			continue
		}
		for _, s := range p.Trace.Steps {
			fmt.Printf("  %-6s children=%d inMemory=%v\n", []string{"create", "record", "crash"}[s.Action.Label], s.State.Children, s.State.InMemory)
		}
	}
	// Output:
	// recorded in the end: holds
	// at most one child: violated
	//   create children=1 inMemory=true
	//   crash  children=1 inMemory=false
	//   create children=2 inMemory=true
}
