package rule

import (
	"regexp"
	"testing"
)

// Ids and names are what users write in scenarios and read in reports: they are
// unique, of one form, and are found by both.
func TestRulesAreCompleteAndDistinct(t *testing.T) {
	id, name := regexp.MustCompile(`^SEA1\d{3}$`), regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	seen := map[string]bool{}
	for _, r := range All() {
		if !id.MatchString(r.ID) || !name.MatchString(r.Name) {
			t.Errorf("%s %s: an id is SEA1 and three digits, a name is in kebab case", r.ID, r.Name)
		}
		if seen[r.ID] || seen[r.Name] {
			t.Errorf("%s %s is there twice", r.ID, r.Name)
		}
		seen[r.ID], seen[r.Name] = true, true
		if r.Claims == nil {
			t.Errorf("%s claims nothing", r.ID)
		}
		if find(r.ID) != r || find(r.Name) != r {
			t.Errorf("%s is not found by its id and its name", r.ID)
		}
	}
	if find("SEA1999") != nil {
		t.Error("a rule that is not there is found")
	}
}
