// Package jobset explores the reconciler of a real operator, JobSet, imported as it was
// released: sigs.k8s.io/jobset creates Jobs for a JobSet, and a Service by which their pods
// find each other, and fails or completes with them. Nothing of it is changed or copied.
// What was found is in the README of the examples.
package jobset
