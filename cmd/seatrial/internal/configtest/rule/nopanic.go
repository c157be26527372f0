package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("janitor/seeded/nothing-allowed.yaml", "janitor/seeded/larger-batch.yaml", finding.Rule{
		ID: "SEA4002", Name: "no-panic",
		Title:   "the program panics with the new value",
		Means:   "No test of the module that reads what is changed panics, and none ends its process, with the new values.",
		Excuses: "What excuses a test that fails: that it does with the old values, not always, or with every value.",
		Why: `A number of 0 is divided by, a list that is empty has no first item, a map has no such key, a text cannot be parsed where an error was thought to be impossible. In a container that is a restart with the same configuration, and another one: CrashLoopBackOff.

Where the panic is in a request, the program starts, is ready, and loses those requests only that use the value.`,
		Mend: []string{
			"Take the change back, or change the value.",
			"Check the value where it is loaded, and say which key is wrong, with what is allowed.",
			"Handle what the value makes possible: nothing, none, zero.",
		},
		Links: []finding.Link{ctest, rollouts},
	})
}
