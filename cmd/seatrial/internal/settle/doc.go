// Package settle runs the tests of a Go module that call settle.Check, and makes one report of
// theirs. It links none of them: reconcilers are built by the user's go command, in their own
// module, and each Check leaves a file with its report (docs/adr/0025).
package settle
