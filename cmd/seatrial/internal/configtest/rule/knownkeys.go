package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("thumbs/seeded/misspelt-batch.yaml", "thumbs/seeded/wider.yaml", finding.Rule{
		ID: "SEA4008", Name: "known-keys",
		Title:   "a key is given that no code reads, in the place of one that is read",
		Means:   "No key or variable is added that no code of the module is known to read, and that is spelt nearly as one that some code reads, and that is not given: max_retires, or maxRetries, for max_retries. No test is needed to tell.",
		Excuses: "A name that the sources of the program have in a text. Names of which a number differs, or a short word, as min and max. A key that a test was seen to read.",
		Why:     `Most decoders leave out without a word what they have no field for. The value is in the file, the review sees it there, and the program runs with its default.`,
		Mend: []string{
			"Write the key as the program reads it: the message names it.",
			"Let the decoder refuse keys that it does not know: KnownFields(true) of yaml.v3, DisallowUnknownFields of encoding/json, UnmarshalExact of viper, UnmarshalStrict of sigs.k8s.io/yaml.",
		},
		Links: []finding.Link{ctest, maps},
	})
}
