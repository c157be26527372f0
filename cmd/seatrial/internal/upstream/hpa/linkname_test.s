// This file is empty on purpose: a package with an assembly file may declare
// functions without a body, which the tests link to unexported methods of the
// real controller (plant_test.go).
