package trial

import (
	"os"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/controlplane/option"
)

// TestDocumented: the page shows the example that runs here, and every flag and
// route.
func TestDocumented(t *testing.T) {
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile("../../../docs/controlplane.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(content)
	_, test, _ := strings.Cut(string(example), "\nfunc ")
	if !strings.Contains(page, "```go\nfunc "+test+"```\n") {
		t.Error("it does not show example_test.go as it is")
	}
	for _, o := range option.All() {
		if !strings.Contains(page, "| `--"+o.Name+"`") && !strings.Contains(page, "| `--"+o.Name+"=") {
			t.Errorf("it does not have --%s", o.Name)
		}
	}
	for _, route := range admin.Routes {
		words := strings.Split(route.Path(), "/")
		if last := words[len(words)-1]; !strings.Contains(page, "/"+last) {
			t.Errorf("it does not have %s", route)
		}
	}
}
