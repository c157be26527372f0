package browser

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp/kb"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/sample"
)

// Nothing of a page is wider than the window, on a large screen and on a phone,
// whatever it shows.
func TestPagesFitTheirWindow(t *testing.T) {
	windows := []struct {
		name          string
		width, height int
	}{{"wide", 1320, 900}, {"phone", 375, 812}}
	for name, file := range subjects(t) {
		t.Run(name, func(t *testing.T) {
			for _, window := range windows {
				p := open(t, file, window.width, window.height, false)
				p.press(kb.ArrowRight, kb.ArrowRight)
				if wide := value[int](p, `document.documentElement.scrollWidth`); wide > window.width {
					t.Errorf("it is %d wide in a window of %d: %s", wide, window.width, value[string](p, `
						[...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest(".columns, .code")).slice(0, 5).map((e) => e.tagName + "." + e.className).join(", ")`))
				}
				p.picture(name + "-" + window.name)
				p.dark(true)
				p.picture(name + "-" + window.name + "-dark")
				p.clean()
			}
		})
	}
}

// On paper there is all of a trace, and nothing that only a screen can do.
func TestAPageCanBePrinted(t *testing.T) {
	_, file := checked(t, "kivi-c5/bad")
	p := open(t, file, 1280, 900, false)
	background := true
	pdf := call(p, page.PrintToPDF, page.PrintToPDFParams{PrintBackground: &background})
	if len(pdf.Data) < 1000 {
		t.Errorf("the printed page has %d bytes", len(pdf.Data))
	}
	if dir := os.Getenv("SEATRIAL_PICTURES"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "print.pdf"), pdf.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	open := `document.querySelectorAll(".step .detail").length`
	steps := value[int](p, `document.querySelectorAll(".step").length`)
	if got := value[int](p, `dispatchEvent(new Event("beforeprint")), `+open); got != steps {
		t.Errorf("on paper %d of %d steps are open", got, steps)
	}
	if got := value[int](p, `dispatchEvent(new Event("afterprint")), `+open); got != 1 {
		t.Errorf("after printing %d steps are open", got)
	}
	p.clean()
}

// subjects are pages of every sort.
func subjects(t *testing.T) map[string]string {
	out := map[string]string{}
	_, out["violated"] = checked(t, "kivi-c5/bad")
	_, out["autoscaler"] = checked(t, "kivi-c1/bad")
	_, out["rest"] = checked(t, "recreate-node-loss/bad")
	_, out["taints"] = checked(t, "kivi-c7/bad")
	_, out["proof"] = checked(t, "kivi-c3/good-no-zone")
	out["hundred-nodes"] = written(t, sample.Large(100, 500))
	out["long-names"] = written(t, longNames())
	out["inconclusive"] = written(t, inconclusive())
	out["many"] = written(t, manyFindings())
	return out
}

// longNames are as long as Kubernetes allows.
func longNames() *finding.Report {
	text, err := json.Marshal(sample.Large(4, 12))
	if err != nil {
		panic(err)
	}
	long := strings.NewReplacer("service-", strings.Repeat("a-very-long-service-name-", 9)+"-", "shop", strings.Repeat("shop", 15), "pool-", strings.Repeat("verylongpoolname", 12)+"-", "/", "/").Replace(string(text))
	var r finding.Report
	if err := json.Unmarshal([]byte(long), &r); err != nil {
		panic(err)
	}
	return &r
}

func inconclusive() *finding.Report {
	return &finding.Report{
		Tool: "seatrial check", Version: "v0", Kubernetes: "v1.36.3", Command: "seatrial check --timeout=5m deploy/", Verdict: finding.Inconclusive,
		Reason: "something that was left out of account could change the verdict",
		Bound:  finding.Bound{Text: "3 nodes, up to 6 wanted pods, 1 × drain", Nodes: 3, Pods: 6, States: 123456, Transitions: 423456, Depth: 40, Complete: true},
		Results: []finding.Result{
			{Rule: "SEA1006", Name: "pods-run", Subject: "Deployment default/web", Verdict: finding.Inconclusive, Reason: "ValidatingWebhookConfiguration/policy is left out of account"},
			{Rule: "SEA1001", Name: "no-endless-eviction", Subject: "Deployment default/web", Verdict: finding.Inconclusive, Reason: "ValidatingWebhookConfiguration/policy is left out of account"},
		},
		Omissions:   []finding.Omission{{Name: "ValidatingWebhookConfiguration/policy", Location: finding.Location{File: "deploy/policy.yaml", Line: 3}, Reason: "it may refuse pods", Blocking: true}, {Name: "ConfigMap/default/settings", Location: finding.Location{File: "deploy/settings.yaml", Line: 1}, Reason: "no controller reads it"}},
		Assumptions: []string{"HPA, descheduler and appliers wait for fast controllers (not --strict)"},
		Warnings:    []finding.Warning{{Location: finding.Location{File: "deploy/web.yaml", Line: 12}, Message: "no resource requests: the scheduler counts nothing for it"}},
	}
}

func manyFindings() *finding.Report {
	r := sample.Large(6, 20)
	for i, name := range []string{"pods-run", "no-endless-eviction", "replicas-settle", "failed-pods-bounded", "drain-ends", "rollout-ends"} {
		result := r.Results[0]
		result.Rule, result.Name, result.Trace = "SEA100"+string(rune('2'+i)), name, nil
		if i > 2 {
			result.Verdict, result.Message = finding.Holds, ""
			result.Witnesses = []finding.Witness{{Name: "all pods of Deployment shop/service-01 Running", Reached: true, Steps: 4}, {Name: "a drain begins"}}
		}
		if i < 2 {
			short := *r.Results[0].Trace
			short.Steps, short.Loop = short.Steps[:5+i], nil
			result.Trace = &short
		}
		r.Results = append(r.Results, result)
	}
	return r
}
