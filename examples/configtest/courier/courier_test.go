package main

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/configtest"
)

// TestAllIsBrought makes its own Config, past what loads one; so that it has what changes all the same, it asks for it.
func TestAllIsBrought(t *testing.T) {
	configtest.Only(t, "field:Config.couriers", "field:Config.load")
	c := configtest.Patch(t, &Config{Couriers: 3, Load: 4})
	const parcels = 120
	if brought := ways(c, parcels) * c.Couriers * c.Load; brought != parcels {
		t.Errorf("%d of %d parcels are brought", brought, parcels)
	}
}

// TestGreets is about the greeting, in a way that is not seen.
func TestGreets(t *testing.T) {
	configtest.Optional(t, "field:Config.greeting")
	if says, err := greeting(Default()); err != nil || strings.HasPrefix(says, ",") {
		t.Errorf("it says %q, %v", says, err)
	}
}
