package finding

// Rule is what a renderer tells of a rule.
type Rule struct {
	// ID is SEA and four digits, Name its kebab-case alias.
	ID, Name string
	// Title is one line, Doc a few paragraphs.
	Title, Doc string
}

// rulePages is where the manual's pages of the rules are.
const rulePages = "https://github.com/seatrial/seatrial/blob/main/docs/rules/"

// URI is the rule's page of the manual.
func (r Rule) URI() string { return rulePages + r.ID + ".md" }
