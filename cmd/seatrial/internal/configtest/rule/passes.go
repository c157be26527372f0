package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("thumbs/seeded/ttl-without-unit.yaml", "thumbs/seeded/wider.yaml", finding.Rule{
		ID: "SEA4001", Name: "passes",
		Title:   "a test of the program fails with the new value",
		Means:   "Every test of the module that reads what is changed passes with the new values, as it does with the old ones. The changes are tried together, as they will be rolled out; what is named is the smallest part of them with which the test fails.",
		Excuses: "Tests that fail with the old values, too, or not always. Tests that fail with other valid values as well: they are hard-coded, and are listed. Tests that set the value themselves, since they say nothing of another.",
		Why: `The type is right and the schema holds, and still the code does something else with the value than whoever wrote it meant: 300 is nanoseconds where 300s was meant; a name that is not known falls back to a default without a word; a limit is below another that it has to be above; a number of 0 is a division by it; a value that nobody has used so far leads to a mistake that was always there.

A ConfigMap is read when a process starts. So nothing fails when it is applied, and all replicas fail when they are next restarted, at a time when nobody thinks of the change.`,
		Mend: []string{
			"Take the change back, or change the value: what the test says names what it expects.",
			"If the value is right, mend the code: the test that fails is the one to begin with.",
			"Let the program refuse at its start what it cannot do: an unknown name, a number that is out of bounds, two values that do not go together.",
			"If the test asserts a default, let it read the value instead: it fails with every other one.",
		},
		Links: []finding.Link{ctest, maps},
	})
}
