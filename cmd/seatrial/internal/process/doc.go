// Package process runs the controller under test: any program, unmodified, as a
// child that ends when it is told to, when the caller's context does, or when this
// process does, and that leaves nothing behind.
//
// Between this process and the controller stands a supervisor: this executable
// again, under another name (package supervisor), which does nothing but start one program, wait and
// kill. It is there for what a parent cannot do by itself:
//
//   - When this process ends, however it does (SIGKILL included), a pipe to the
//     supervisor closes, and the supervisor kills the controller. A signal for the
//     parent's death, which Linux has, comes with that of a thread, reaches one
//     process and no children; it is only the second line: the controller gets it
//     should the supervisor itself be killed.
//   - On Linux the supervisor is a subreaper: whatever the controller forks stays its
//     descendant, in groups and sessions of its own too, and orphans become the
//     supervisor's children. So it can find and kill all of them without privileges
//     and without leaving marks in an environment that a program may clear; and when
//     the supervisor has no children any more, nothing is left: that is what
//     [Process.Done] says. On other systems the process group is killed.
//
// As in a container, what the controller has started ends with it, also when it exits
// by itself.
//
// The supervisor gets three files: orders (one line of JSON with what to start, then
// a byte means kill, and so does the end), reports (a line when the program runs or
// could not be started, a line when all is over), and the pipe of the output, which it
// hands to the program and closes. It is in a session of its own, so that an
// interrupt from a terminal is the parent's to answer.
//
// The output is read as it comes and kept in part ([Output]): a program that prints
// gigabytes neither waits nor fills memory.
package process
