package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("gateway/seeded/nobody-in.yaml", "gateway/seeded/longer.yaml", finding.Rule{
		ID: "SEA4003", Name: "ends",
		Title:   "a test of the program does not end with the new value",
		Means:   "Every test of the module that reads what is changed ends within its time (--test-timeout) with the new values, as it does with the old ones.",
		Excuses: "What excuses a test that fails: that it does with the old values, not always, or with every value.",
		Why:     `No workers, and a queue that nobody empties; a time-out of 0, which is none; an interval that is longer than what waits for it; a lock that is never had. In production nothing fails: requests wait, queues grow, and a probe restarts the process into the same.`,
		Mend: []string{
			"Take the change back, or change the value.",
			"Refuse values at the start with which nothing can go on.",
			"If the test only takes longer with the value, give it more time: --test-timeout.",
		},
		Links: []finding.Link{ctest, maps},
	})
}
