package manifest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/spelling"
	"github.com/seatrial/seatrial/finding"
)

// IgnoreAnnotation is where an object says which findings about it do not count: a
// line for each, RULE: reason, with until=YYYY-MM-DD before the colon or at the end
// if it is to end.
const IgnoreAnnotation = "seatrial.dev/ignore"

// Ignore is one line of such an annotation.
type Ignore struct {
	// Object is what the finding is about: Kind namespace/name.
	Object string
	// Rule is a rule's id or name, or the name of a scenario's property.
	Rule   string
	Reason string
	// Until is the last day on which it holds, as YYYY-MM-DD; empty for good.
	Until    string
	Location finding.Location
}

// ignores reads the annotations of all objects that a finding can be about.
func (l *loader) ignores() {
	named := l.options.Rules
	if s := l.in.Scenario; s != nil {
		named = slices.Clone(named)
		for _, p := range s.Value.Spec.Properties {
			named = append(named, p.Name)
		}
	}
	ignoresOf(l, l.in.Deployments, named)
	ignoresOf(l, l.in.ReplicaSets, named)
	ignoresOf(l, l.in.Pods, named)
	ignoresOf(l, l.in.Autoscalers, named)
	ignoresOf(l, l.in.DisruptionBudgets, named)
	ignoresOf(l, l.in.Nodes, named)
	for _, left := range l.in.LeftOut {
		if left.Field == "" && asksToIgnore(left.Raw) {
			l.in.Warnings = append(l.in.Warnings, finding.Warning{
				Location: left.Location,
				Message:  fmt.Sprintf("%s of %s has no effect: it is left out, and no finding is about it", IgnoreAnnotation, left.Name),
			})
		}
	}
}

// asksToIgnore tells whether an object, as JSON, says that findings about it do not count.
func asksToIgnore(raw []byte) bool {
	var object metav1.PartialObjectMetadata
	if json.Unmarshal(raw, &object) != nil {
		return false
	}
	_, there := object.Annotations[IgnoreAnnotation]
	return there
}

func ignoresOf[T metav1.Object](l *loader, objects []Object[T], named []string) {
	for _, o := range objects {
		text, there := o.Value.GetAnnotations()[IgnoreAnnotation]
		if !there {
			continue
		}
		path := "metadata.annotations[" + IgnoreAnnotation + "]"
		about := o.Source.Kind + " " + o.Value.GetName()
		if ns := o.Value.GetNamespace(); ns != "" {
			about = o.Source.Kind + " " + ns + "/" + o.Value.GetName()
		}
		found := 0
		for _, line := range strings.Split(text, "\n") {
			if strings.TrimSpace(line) == "" {
				continue
			}
			found++
			i, err := parseIgnore(line)
			if err == nil && len(l.options.Rules) > 0 && !slices.Contains(named, i.Rule) {
				err = fmt.Errorf("no rule %q%s", i.Rule, didYouMean(spelling.Nearest(i.Rule, named)))
			}
			if err != nil {
				l.fail(o.Source, path, "%s: %v", IgnoreAnnotation, err)
				continue
			}
			i.Object, i.Location = about, o.Source.Position(path)
			l.in.Ignores = append(l.in.Ignores, i)
		}
		if found == 0 {
			l.fail(o.Source, path, "%s is empty: write RULE: reason", IgnoreAnnotation)
		}
	}
}

// untilWord is the last day, before the colon or as the last word.
var untilWord = regexp.MustCompile(`(?:^|[\s,(])until=([^\s,;).]*)\)?[\s.]*$`)

// parseIgnore reads RULE [until=DAY]: reason [until=DAY].
func parseIgnore(line string) (Ignore, error) {
	head, reason, colon := strings.Cut(strings.TrimSpace(line), ":")
	if !colon {
		return Ignore{}, fmt.Errorf("%q has no reason: write RULE: reason", head)
	}
	i := Ignore{}
	for _, part := range []*string{&head, &reason} {
		at := untilWord.FindStringSubmatchIndex(*part)
		if at == nil {
			continue
		}
		day := (*part)[at[2]:at[3]]
		if i.Until != "" {
			return Ignore{}, fmt.Errorf("until= is given twice, as %s and %s", i.Until, day)
		}
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			return Ignore{}, fmt.Errorf("until=%s is no day: write until=YYYY-MM-DD", day)
		}
		i.Until, *part = day, (*part)[:at[0]]
	}
	i.Rule, i.Reason = strings.TrimSpace(head), strings.Trim(reason, " \t,;")
	switch {
	case i.Rule == "":
		return Ignore{}, fmt.Errorf("the rule is missing: write RULE: reason")
	case i.Reason == "":
		return Ignore{}, fmt.Errorf("%s has no reason: write %s: reason", i.Rule, i.Rule)
	}
	return i, nil
}
