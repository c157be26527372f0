package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("thumbs/generate/width.yaml", "thumbs/generate/ttl.yaml", finding.Rule{
		ID: "SEA4007", Name: "refuses", Level: finding.LevelWarning, Title: "an invalid value is taken without a word",
		Means:   "A value that cannot be meant (no number, a unit that is missing, a port above the largest, a word that the code does not know) is refused: by what loads the configuration, by a validation, or by a test that reads it. So is a new value of which the program reads something else: its default, nothing, or so many nanoseconds where there was a time with its unit; and a name of a time zone of which there is none.",
		Excuses: "Values of parameters that no test reads, and tests that fail with every other valid value: they say nothing. What the program refuses only when it starts, but for a time zone of which there is none. A new value that begins with what is read, as 30sec with 30s.",
		Why:     `Somebody makes a mistake in a value, and nobody is told: the library gives 0 for what is no number, or cuts off what is behind the point, or the program takes its default. It starts and is ready, with something else than what is written in its configuration.`,
		Mend: []string{
			"Refuse the value where it is loaded, with the name of the key and what is allowed.",
			"Decode into a type that refuses it, instead of asking a library for a number.",
			"Let a schema or a validating admission policy refuse it when it is applied.",
		},
		Links: []finding.Link{ctest, maps},
	})
}
