// Package statespace explores finite transition systems exhaustively and
// decides properties of their behaviours, with a trace for every violation.
package statespace
