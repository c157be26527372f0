package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("janitor/seeded/soft-above-hard.yaml", "janitor/seeded/larger-batch.yaml", finding.Rule{
		ID: "SEA4004", Name: "accepted",
		Title:   "the program does not take the new value",
		Means:   "What loads the configuration takes the new values: it gives no error, and the process does not end itself, in the tests that read what is changed.",
		Excuses: "What excuses a test that fails: that it does with the old values, not always, or with every value.",
		Why:     `The loader looks at the value and refuses it: a duration without a unit, a number out of bounds, a key that it does not know. That is as it should be, and too late: the process ends when it starts, which is when the ConfigMap has long been applied, and the last good one is gone.`,
		Mend: []string{
			"Change the value: the error says what is wrong with it.",
			"Let a schema or a validating admission policy refuse it when it is applied.",
		},
		Links: []finding.Link{ctest, maps},
	})
}
