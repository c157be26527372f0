// Package lint holds the architecture by tests: which room imports which, how
// long files and functions get, which calls are banned where. It reads every
// module of the repository. What is checked here is what drifts in silence;
// a rule or a limit can be changed like any code, with its reason.
package lint
