package cli

// topics are help without a command: seatrial help <name>.
var topics = []struct{ name, title, text string }{
	{
		"exit-codes", "what the exit codes mean",
		`The exit code says what was found, whatever format it is shown in.

  0    every property that was checked holds, up to the stated bound
  1    at least one property is violated
  2    the command line or the input is wrong, or an output cannot be written
       where it was asked for; the others are written
  3    inconclusive: a limit on time, memory or states was hit, or something
       that could matter was left out of account, and nothing was found
  4    seatrial itself failed, or the machine under it (a disk that is full), or
       a control plane ended by itself
  130  interrupted before anything was found

Of several the first of 4, 2, 1, 130, 3, 0 counts: a violation is a violation
whatever else is inconclusive. After an interruption the partial report is
still written; a second one ends seatrial at once.

controlplane gives the exit code of the command that it was started for; without
one it ends with 0 at an interrupt.

runs diff gives 1 if something is violated that was not; report gives 0 if it could
show the run, whatever was found in it.

What check --simulate shows has no verdict: 0, or 3 or 130 if it was cut short.`,
	},
	{
		"environment", "environment variables",
		`  NO_COLOR           no colours, if set to anything
  CLICOLOR_FORCE     colours, even if the output is not a terminal
  CLICOLOR           no colours, if 0
  TERM               no colours and no rewritten progress line, if dumb
  LC_ALL, LC_CTYPE,
  LANG               only ASCII, if the first that is set is not UTF-8

  SEATRIAL_SAVE      no run is kept in .seatrial/runs, if false or 0
  GITHUB_STEP_SUMMARY
                     -o github adds the report in Markdown to this file

  SEATRIAL_CONTROLPLANE
                     the executable of the control plane
  SEATRIAL_CONTROLPLANE_DIRECTORY
                     where a control plane makes its directory

--color=always and --color=never win over all of them.`,
	},
}
