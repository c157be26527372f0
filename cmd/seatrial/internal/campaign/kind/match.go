package kind

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

const (
	// likeness is the least share of common fields in all fields of both for a property to be
	// a type.
	likeness = 0.8
	// part is the least number of fields with which a property can be a part of a type;
	// namedPart if it has the name of one.
	part, namedPart = 4, 2
	// partScore is what being such a part counts; more, the more of the type there is.
	partScore = 0.8
	// tiny is the greatest number of fields of a type that says too little by itself.
	tiny = 2
	// Bonuses and penalties, in the same measure.
	nameBonus, wordBonus, contextBonus, textBonus, tinyPenalty = 0.15, 0.1, 0.1, 0.05, 0.3
)

// newer are fields that came late, in types of which so few others are there that
// older ones would not be recognised without them.
var newer = map[string][]string{
	"io.k8s.api.core.v1.ResourceRequirements":             {"claims"},
	"io.k8s.api.core.v1.PodAffinityTerm":                  {"matchLabelKeys", "mismatchLabelKeys", "namespaceSelector"},
	"io.k8s.api.core.v1.Lifecycle":                        {"stopSignal"},
	"io.k8s.api.apps.v1.RollingUpdateStatefulSetStrategy": {"maxUnavailable"},
	"io.k8s.api.apps.v1.RollingUpdateDaemonSet":           {"maxSurge"},
	"io.k8s.api.core.v1.SecretKeySelector":                {"optional"},
	"io.k8s.api.core.v1.ConfigMapKeySelector":             {"optional"},
	"io.k8s.api.core.v1.SecretEnvSource":                  {"optional"},
	"io.k8s.api.core.v1.ConfigMapEnvSource":               {"optional"},
}

// telling are small types that say enough by themselves.
var telling = []string{"io.k8s.api.core.v1.SecretKeySelector", "io.k8s.api.core.v1.ConfigMapKeySelector"}

// match is the type that a property is; nil for none.
func (m *model) match(p *schema.Property) *typ {
	s := shapeOf(p)
	if s == shapeAny {
		return m.byName(p)
	}
	if s != shapeObject || len(p.Children) == 0 {
		return nil
	}
	common := map[*typ]int{}
	for _, child := range p.Children {
		own := shapeOf(child)
		for _, t := range m.having[child.Name] {
			if compatible(own, t.field(child.Name).shape) {
				common[t]++
			}
		}
	}
	c := newCandidate(p)
	var best *typ
	var most float64
	for _, t := range m.order {
		n := common[t]
		if n == 0 {
			continue
		}
		if score := c.score(t, n); score >= likeness && (score > most || score == most && before(t, best)) {
			best, most = t, score
		}
	}
	return best
}

// before tells which of two equally likely types is meant: the one that stands in more
// places, and the one of pods.
func before(a, b *typ) bool {
	if b == nil {
		return true
	}
	// Most references are to Secrets; ConfigMaps say their name.
	if secret := strings.HasPrefix(a.short(), "Secret"); secret != strings.HasPrefix(b.short(), "Secret") {
		return secret
	}
	return cmp.Or(cmp.Compare(len(b.uses), len(a.uses)), cmp.Compare(a.order, b.order)) < 0
}

// candidate is a property that may be a type.
type candidate struct {
	*schema.Property
	// name is what it stands under, with its words.
	name  string
	words []string
	// said is what its descriptions say, in lower case.
	said string
}

func newCandidate(p *schema.Property) *candidate {
	c := &candidate{Property: p, name: useName(p)}
	c.words = words(c.name)
	said := []string{p.Schema.Description}
	for _, child := range p.Children {
		said = append(said, child.Schema.Description)
	}
	c.said = strings.ToLower(strings.TrimSpace(strings.Join(said, " ")))
	return c
}

// score is how likely it is that c, which has so many fields in common with t, is a t;
// 0 for one that it cannot be.
func (c *candidate) score(t *typ, common int) float64 {
	score := overlap(c.Property, t, common, namedPart)
	if score == 0 {
		return 0
	}
	hint := nameHint(c.name, c.words, t)
	if hint < wordBonus {
		if score = overlap(c.Property, t, common, part); score == 0 {
			return 0
		}
	}
	inner := depth(c.Property, t)
	score *= 0.4 + 0.6*inner*inner
	if small := min(len(t.fields)-absent(c.Property, t), len(c.Children)); small <= tiny && hint < wordBonus && !slices.Contains(telling, t.name) {
		score -= tinyPenalty
	}
	return score + hint + context(c.Property, c.name, t) + c.text(t)
}

// overlap is how much of both is common: 0 if it is too little. Of least fields on, a
// property can be a part of the type.
func overlap(p *schema.Property, t *typ, common, least int) float64 {
	fields := len(t.fields) - absent(p, t)
	share := float64(common) / float64(len(p.Children)+fields-common)
	if share >= likeness {
		return share
	}
	if common == len(p.Children) && common >= least {
		return partScore + (1-partScore)*share
	}
	return 0
}

// absent is how many of the newer fields of a type a property does not have.
func absent(p *schema.Property, t *typ) int {
	n := 0
	for _, name := range newer[t.name] {
		if p.Field(name) == nil {
			n++
		}
	}
	return n
}

// depth is how well what is in the objects of p is what is in those of t, from 0 to 1; 1
// if there are none.
func depth(p *schema.Property, t *typ) float64 {
	total, count := 0.0, 0
	for _, child := range p.Children {
		f := t.field(child.Name)
		if f == nil || f.typ == nil {
			continue
		}
		for child.Name == f.name && shapeOf(child).item() != "" || child.Name == "[]" || child.Name == "{}" {
			if len(child.Children) != 1 || shapeOf(child) == shapeObject {
				break
			}
			child = child.Children[0]
		}
		if len(child.Children) == 0 {
			continue
		}
		total += shared(child, f.typ)
		count++
	}
	if count == 0 {
		return 1
	}
	return total / float64(count)
}

// shared is the share of the fields of p that t has, too.
func shared(p *schema.Property, t *typ) float64 {
	if len(p.Children) == 0 {
		return 1
	}
	n := 0
	for _, child := range p.Children {
		if f := t.field(child.Name); f != nil && compatible(shapeOf(child), f.shape) {
			n++
		}
	}
	return float64(n) / float64(len(p.Children))
}

// alike tells whether p, which has the name of a field with such a type, can be of it.
func alike(p *schema.Property, t *typ) bool {
	return shared(p, t) >= 0.5
}

// useName is the name that a property stands under: of the items of a list, that of the list.
func useName(p *schema.Property) string {
	for p.Parent != nil && (p.Name == "[]" || p.Name == "{}") {
		p = p.Parent
	}
	return p.Name
}

// nameHint is what the name says for a type: most if Kubernetes has the type under it,
// less if it ends so, or has words of the type.
func nameHint(name string, own []string, t *typ) float64 {
	if len(own) == 0 {
		return 0
	}
	if strings.EqualFold(name, t.short()) {
		return nameBonus
	}
	best := 0.0
	for _, u := range t.uses {
		switch theirs := u.words; {
		case u.field.name == name:
			return nameBonus
		case len(own) > len(theirs) && slices.Equal(own[len(own)-len(theirs):], theirs):
			best = max(best, wordBonus)
		}
	}
	theirs := t.words
	n := 0
	for _, word := range own {
		if slices.Contains(theirs, word) {
			n++
		}
	}
	return max(best, nameBonus*float64(n)/float64(len(own)+len(theirs)-n))
}

// context is what stands beside p: as much as stands beside the type in Kubernetes.
func context(p *schema.Property, name string, t *typ) float64 {
	for p.Name != name && p.Parent != nil {
		p = p.Parent
	}
	if p.Parent == nil || len(p.Parent.Children) < 2 {
		return 0
	}
	best := 0
	for _, u := range t.uses {
		if u.field.name != name {
			continue
		}
		n := 0
		for _, sibling := range p.Parent.Children {
			if sibling != p && u.by.field(sibling.Name) != nil {
				n++
			}
		}
		best = max(best, n)
	}
	return contextBonus * float64(best) / float64(len(p.Parent.Children)-1)
}

// text is what is said of c for a type: names of types are words in descriptions.
func (c *candidate) text(t *typ) float64 {
	if c.said == "" {
		return 0
	}
	n := 0
	for _, word := range t.words {
		if strings.Contains(c.said, word) {
			n++
		}
	}
	return textBonus * float64(n) / float64(len(t.words))
}

// plain are the names of one word under which only one type stands, in other people's
// schemas, too.
var plain = []string{"affinity", "resources", "tolerations"}

// byName is the type of a property that can be anything, by its name alone.
func (m *model) byName(p *schema.Property) *typ {
	name := useName(p)
	if p.Schema.Type != "" && p.Schema.Type != "object" || p.Parent == nil || len(words(name)) < 2 && !slices.Contains(plain, name) {
		return nil
	}
	if types := m.named[name]; len(types) > 0 {
		return best(types, func(t *typ) float64 { return context(p, name, t) })
	}
	own := words(name)
	for from := 1; from < len(own)-1; from++ {
		// podTemplate and the like: the last words are the name of a field.
		if types := m.named[camel(own[from:])]; len(types) > 0 {
			return best(types, func(t *typ) float64 { return nameHint(name, own, t) })
		}
	}
	for _, suffix := range []string{"Spec", ""} { // podTemplate is a PodTemplateSpec
		for _, t := range m.order {
			if short, ok := strings.CutSuffix(t.short(), suffix); ok && len(words(short)) > 1 && slices.Equal(words(short), own) {
				return t
			}
		}
	}
	return nil
}

func best(types []*typ, score func(*typ) float64) *typ {
	return slices.MaxFunc(types, func(a, b *typ) int { return cmp.Compare(score(a), score(b)) })
}

// camel is a name of words: podSecurityContext.
func camel(words []string) string {
	var b strings.Builder
	for i, word := range words {
		if i > 0 && word != "" {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		b.WriteString(word)
	}
	return b.String()
}
