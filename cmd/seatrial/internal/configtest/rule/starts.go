package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("janitor/seeded/soft-above-hard.yaml", "janitor/seeded/larger-batch.yaml", finding.Rule{
		ID: "SEA4005", Name: "starts", OnRequest: true,
		Title:   "the program does not start with the new version",
		Means:   "The program itself, started as --start says, runs on for some time with the new version of the configuration, or ends without a complaint, as it does with the old one. It is built as it is, and nothing in it records or injects anything.",
		Excuses: "A program that does not start here with the old version either, since what it needs is not here. What it does later than --start-time.",
		Why:     `Whoever loads the configuration looks at it, and ends: a key is not known, a value cannot be parsed, two values do not go together, a file that is named is not there. In a cluster the new replicas end again and again, and a rollout waits for them; the old ones run on until a node is drained, and come back with the new version.`,
		Mend: []string{
			"Change what the program complains of: the last line that it prints is in the message.",
			"If it needs something that is not here (a host, a credential, a cluster), start it with arguments that do without: --start.",
		},
		Links: []finding.Link{maps, rollouts},
	})
}
