package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("thumbs/generate/batch.yaml", "thumbs/generate/ttl.yaml", finding.Rule{
		ID: "SEA4006", Name: "valid-values", Title: "a test of the program fails with a value that is valid",
		Means:   "Every test of the module that reads a parameter passes with each valid value of it: near the value that it has, at the bounds that its type, a tag or its name gives, and with the other words that the code knows. With values that may not be meant, as none or many more, it does not panic, and it ends.",
		Excuses: "What excuses a test that fails: that it fails with every other valid value, not always, or with the value that the parameter has. A value that a loader, a validation or an error with the value in it refuses.",
		Why:     `The loader takes the value, no validation speaks against it, and the code has never run with it: all tests have the default. A number that is no divisor, three where there were always two, none where something is divided by it, a time that is longer than another one. The mistake is there, and waits for whoever is first to change the value.`,
		Mend: []string{
			"Mend the code: the test that fails, with the value, is the one to begin with.",
			"If the value is not meant to be given, refuse it where the configuration is loaded, and say what is allowed.",
		},
		Links: []finding.Link{ctest, maps},
	})
}
