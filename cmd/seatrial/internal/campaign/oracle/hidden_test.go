package oracle_test

import (
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// TestHidden: a text that differs in each run for what is drawn in it still says what the resource says.
func TestHidden(t *testing.T) {
	secret := func(password, database string) string {
		dsn := base64.StdEncoding.EncodeToString([]byte("postgres://app:" + password + "@a-db/" + database))
		return fmt.Sprintf("{kind: Secret, metadata: {name: a}, data: {dsn: %s}}\n", dsn)
	}
	of := func(database string) string {
		return "{kind: Thing, metadata: {name: a}, spec: {database: " + database + "}}\n"
	}
	learned, err := history.DefaultMask().With("~secrets:data.dsn")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name             string
		mask             history.Mask
		value            string
		end, twin, twice string
		found            int
	}{
		{"it follows", learned, "st-1", secret("x", "st-1"), secret("y", "st-1"), secret("z", "st-1"), 0},
		{"it is as it was", learned, "st-1", secret("x", "old"), secret("y", "st-1"), secret("z", "st-1"), 1},
		{"it differs between twins only", history.DefaultMask(), "st-1", secret("x", "old"), secret("y", "st-1"), secret("z", "st-1"), 1},
		{"a word of its own", learned, "orders", secret("x", "old"), secret("y", "orders"), secret("z", "orders"), 1},
		{"too short to be found again", learned, "db", secret("x", "old"), secret("y", "db"), secret("z", "db"), 0},
		{"nothing of the value is there", learned, "st-1", secret("x", "old"), secret("y", "old"), secret("z", "old"), 0},
	} {
		o := set("spec.database", c.value)
		if c.value != "st-1" {
			o.Sentinels = nil
		}
		k := twins(t, o, of("old")+secret("x", "old"), of(c.value)+c.end, of(c.value)+c.twin, of(c.value)+c.twice)
		k.Mask, k.Given = c.mask, history.DefaultMask()
		if got := oracle.Judge(k, only("twin")); len(got) != c.found {
			t.Errorf("%s: %d are found: %+v", c.name, len(got), got)
		}
	}
}
