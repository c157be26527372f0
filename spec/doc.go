// Package spec checks specifications in TLA+ and PlusCal: their invariants, deadlocks and temporal properties, by
// exploring all of their states with package statespace.
//
// Load reads a module and its configuration; Check decides. It gives the verdicts, and counts the states,
// as TLC does.
//
//	syntax    the text of modules → trees
//	pluscal   algorithms in comments → definitions
//	config    configuration files
//	value     what variables and expressions have
//	library   the modules that every specification can extend
//	program   trees → closures; the states and steps
//	temporal  formulas about whole behaviours
package spec
