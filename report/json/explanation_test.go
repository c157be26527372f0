package json

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

// TestWriteExplanation: an explanation has the steps and not the cluster, and leaves
// the report that it is from as it was.
func TestWriteExplanation(t *testing.T) {
	whole := &trace.Trace{Steps: []trace.Step{{Actor: "kubelet", Action: "acts"}}, Setup: &trace.Setup{Kubernetes: "v1"}}
	found := &finding.Found{Run: "r", Number: 1, Of: 1, Result: finding.Result{Name: "mine", Trace: whole, Reference: whole}}
	var b bytes.Buffer
	if err := WriteExplanation(&b, &finding.Explanation{Finding: found}); err != nil {
		t.Fatal(err)
	}
	var got finding.Explanation
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Schema != finding.ExplanationSchema || got.Rule != nil || len(got.Finding.Result.Trace.Steps) != 1 || len(got.Finding.Result.Reference.Steps) != 1 {
		t.Errorf("%s", &b)
	}
	if strings.Contains(b.String(), "setup") || whole.Setup == nil || found.Result.Trace != whole {
		t.Errorf("the setup is shown, or is lost: %s", &b)
	}
}

// TestWriteRules: none at all are an empty array.
func TestWriteRules(t *testing.T) {
	for want, rules := range map[string][]finding.Rule{`"rules": []`: nil, `"id": "SEA9001"`: {{ID: "SEA9001"}}} {
		var b bytes.Buffer
		if err := WriteRules(&b, rules); err != nil {
			t.Fatal(err)
		}
		if text := b.String(); !strings.Contains(text, want) || !strings.Contains(text, `"schema": "`+finding.RulesSchema+`"`) {
			t.Errorf("%s, want %s", text, want)
		}
	}
}
