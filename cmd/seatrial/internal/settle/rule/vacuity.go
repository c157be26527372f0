package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("unnoticed", finding.Rule{
		ID: "SEA5005", Name: "vacuity",
		Title:   "something that the test names had no part in what was explored",
		Means:   "Each fault that is in scope has happened in some behaviour, each controller has reconciled, and what is desired was missing once and was there once. Without that, what holds holds because nothing could go wrong, and the verdict is inconclusive.",
		Excuses: "It is judged where all else holds and the search is complete. That a fault happened does not say that it could have done harm.",
		Why: `A fault that deletes what controllers create finds nothing if they create nothing; requests that are never made cannot time out. Match that is true before anything is done is true of an operator that does nothing. A controller that watches another kind than the one that is desired is never woken.

Mostly the test is wrong: a name, a namespace, a CustomResourceDefinition of another version. Sometimes the operator is: it does nothing at all.`,
		Mend: []string{
			"Look at which kind, namespace and name the test asks for, and which the controller watches.",
			"Let Match ask for what the operator is to make, not only for what it is to note.",
			"Take faults out of scope that cannot happen.",
		},
		Links: []finding.Link{
			{Title: "Efficient detection of vacuity in temporal model checking", URL: "https://doi.org/10.1023/A:1008779610539"},
			controllers,
		},
	})
}
