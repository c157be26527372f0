package choose

import (
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestMounted: a file that a container has elsewhere than tests look for it is given at both places: a variable of the
// container, which says where, is set beside it.
func TestMounted(t *testing.T) {
	m := &parameter.Map{Parameters: []parameter.Class{{ID: "file:/etc/shop/currency"}, {ID: "file:/etc/shop/rules"}, {ID: "file:/etc/lamp/rules"}}}
	one := func(name, value string) []change.Setting {
		settings, err := change.Parse("a.properties", []byte("currency="+value+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		settings[0].Path = name
		return settings
	}
	for name, want := range map[string][]parameter.ID{
		"/etc/shop/currency": {"file:/etc/shop/currency"}, "/config/currency": {"file:/etc/shop/currency", "file:/config/currency"}, "/config/rules": nil, "/config/other": nil,
	} {
		before, after := one(name, "EUR"), one(name, "JPY")
		linked := Link(m, change.Between(before, after), before, after)
		if len(linked) != 1 || !slices.Equal(linked[0].IDs, want) {
			t.Errorf("%s is given at %v, want %v", name, linked[0].IDs, want)
			continue
		}
		inject, _, _ := Inject(linked, Before(linked).With(linked, []int{0}))
		for _, id := range want {
			if inject[id] != "JPY" {
				t.Errorf("%s is %q at %s", name, inject[id], id)
			}
		}
	}
}
