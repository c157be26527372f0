package component

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/temporary"
	"github.com/seatrial/seatrial/finding"
)

// Comparison is what two versions of manifests say to programs.
type Comparison struct {
	// Parts are those of components that are told something else.
	Parts []Part
	// Gaps are what is changed and whose program is not known.
	Gaps []Gap
	// Notes are what there is to know beside that.
	Notes []string
}

// Part is a component that is told something else.
type Part struct {
	Component
	// Where are the containers in which it is told that.
	Where []string
	// Changes are what differs, and Before and After all that it is told.
	Changes       []change.Change
	Before, After change.Told
}

// Gap is a change that nobody can be asked about.
type Gap struct {
	Subject, Reason string
	Location        finding.Location
}

// Compare renders and reads two versions, and says what differs for whom. file is that of the components, for what is
// said.
func Compare(ctx context.Context, components []Component, file string, before, after Manifests) (*Comparison, error) {
	folder, remove, err := temporary.Folder("seatrial-configtest-")
	if err != nil {
		return nil, err
	}
	defer remove()
	c := &comparing{components: components, file: file}
	for i, m := range []Manifests{before, after} {
		work := filepath.Join(folder, fmt.Sprintf("version-%d", i))
		if err := os.Mkdir(work, 0o700); err != nil {
			return nil, err
		}
		if c.versions[i], err = m.load(ctx, work); err != nil {
			return nil, err
		}
	}
	c.trace = newTracing(c.versions[0], c.versions[1])
	if err := c.containers(); err != nil {
		return nil, c.named(err)
	}
	if err := c.held(); err != nil {
		return nil, c.named(err)
	}
	slices.Sort(c.out.Notes)
	c.out.Notes = slices.Compact(c.out.Notes)
	return &c.out, nil
}

// comparing is a comparison that is made.
type comparing struct {
	components []Component
	file       string
	versions   [2]*version
	trace      tracing
	// used are the keys of ConfigMaps and Secrets that say something to a program of which something is said.
	used []string
	out  Comparison
}

func (c *comparing) note(format string, args ...any) {
	c.out.Notes = append(c.out.Notes, fmt.Sprintf(format, args...))
}

// named is an error about a line of what was rendered, with the file that it comes from.
func (c *comparing) named(err error) error {
	for _, v := range c.versions {
		if v.origin != nil {
			return fmt.Errorf("%w (a line of what was rendered)", err)
		}
	}
	return err
}

// component is that of an image.
func (c *comparing) component(image string) (Component, bool) {
	for _, one := range c.components {
		if one.Image == Repository(image) {
			return one, true
		}
	}
	return Component{}, false
}

// containers compares what each container is told in both versions.
func (c *comparing) containers() error {
	olds, news := c.versions[0].objects.Containers(), c.versions[1].objects.Containers()
	for _, pair := range pairs(olds, news) {
		was, now := pair[0], pair[1]
		component, known := c.component(now.Image)
		before, err := was.Told(component.Config)
		if err != nil {
			return err
		}
		after, err := now.Told(component.Config)
		if err != nil {
			return err
		}
		if known {
			c.used = slices.Concat(c.used, before.Uses, after.Uses)
		}
		changes := change.Between(before.Settings, after.Settings)
		switch {
		case len(changes) == 0:
		case !known:
			c.out.Gaps = append(c.out.Gaps, Gap{
				Subject: now.String(), Location: c.trace.place(changes[0], now.String()),
				Reason: fmt.Sprintf("%s told, and the image %s is of no component: add it to %s", differ(changes), Repository(now.Image), c.file),
			})
			c.used = slices.Concat(c.used, before.Uses, after.Uses) // it was said
		default:
			c.add(component, now, changes, before, after)
		}
		if was.Image != now.Image && known {
			c.note("the image of %s is another one (%s, was %s): the module is tested as it is in %s", now, now.Image, was.Image, component.Module)
		}
	}
	return c.unpaired(olds, news)
}

// unpaired are gaps: containers of components that nothing can be compared with.
func (c *comparing) unpaired(olds, news []change.Container) error {
	all := pairs(olds, news)
	for _, one := range news {
		component, known := c.component(one.Image)
		if !known || slices.ContainsFunc(all, func(p [2]change.Container) bool { return p[1].String() == one.String() }) {
			continue
		}
		told, err := one.Told(component.Config)
		if err != nil {
			return err
		}
		c.used = slices.Concat(c.used, told.Uses) // it is said here
		why := "there is nothing to compare it with"
		if slices.ContainsFunc(olds, func(o change.Container) bool { return Repository(o.Image) == Repository(one.Image) }) {
			why = "several containers have had its image: which of them it was is not known"
		}
		c.out.Gaps = append(c.out.Gaps, Gap{
			Subject: one.String(), Location: c.versions[1].place(one.Location), Reason: fmt.Sprintf("it is new, of %s, and %s", component.Name, why),
		})
	}
	return nil
}

func differ(changes []change.Change) string {
	if len(changes) == 1 {
		return changes[0].Path + " is not what it was"
	}
	return fmt.Sprintf("%s and %d more are not what it was", changes[0].Path, len(changes)-1)
}

// pairs are the containers of the new version with those of the old one that they were: by their names; or where just
// one of an image is left on both sides, that. One that is still not known was the only one of its image, of those that
// nothing is paired with if there are any, with its own name in the workload if there is one: a workload that is split
// is what it was in each of its parts.
func pairs(olds, news []change.Container) (out [][2]change.Container) {
	paired := func(side int, one change.Container) bool {
		return slices.ContainsFunc(out, func(p [2]change.Container) bool { return p[side].String() == one.String() })
	}
	some := func(all []change.Container, is func(change.Container) bool) []change.Container {
		return slices.DeleteFunc(slices.Clone(all), func(one change.Container) bool { return !is(one) })
	}
	left := func(all []change.Container, side int, image string) []change.Container {
		return some(all, func(one change.Container) bool { return Repository(one.Image) == image && !paired(side, one) })
	}
	for _, now := range news {
		for _, was := range olds {
			if was.String() == now.String() {
				out = append(out, [2]change.Container{was, now})
				break
			}
		}
	}
	for _, now := range news {
		image := Repository(now.Image)
		if was, is := left(olds, 0, image), left(news, 1, image); len(was) == 1 && len(is) == 1 && is[0].String() == now.String() {
			out = append(out, [2]change.Container{was[0], now})
		}
	}
	var split [][2]change.Container
	for _, now := range news {
		if paired(1, now) {
			continue
		}
		image := Repository(now.Image)
		was := left(olds, 0, image)
		if len(was) == 0 {
			was = some(olds, func(one change.Container) bool { return Repository(one.Image) == image })
		}
		if same := some(was, func(one change.Container) bool { return one.Name == now.Name }); len(same) > 0 {
			was = same
		}
		if len(was) == 1 {
			split = append(split, [2]change.Container{was[0], now})
		}
	}
	return append(out, split...)
}

// add adds what a component is told, once for all containers that are told the same.
func (c *comparing) add(of Component, in change.Container, changes []change.Change, before, after change.Told) {
	for i := range changes {
		from := changes[i].Location
		changes[i].Location = c.trace.place(changes[i], of.Name, in.String())
		moved(before.Settings, changes[i], from)
		moved(after.Settings, changes[i], from)
	}
	slices.SortStableFunc(changes, func(a, b change.Change) int { return inOrder(a.Location, b.Location) })
	for _, missing := range after.Missing {
		c.note("%s, which %s is told of, is not among the manifests: what it holds is not seen", missing, in)
	}
	if after.NoFile != "" {
		c.note("%s says that the configuration of %s is %s, and nothing that is known is mounted there", of.Config, in, after.NoFile)
	}
	for i := range c.out.Parts {
		if p := &c.out.Parts[i]; p.Name == of.Name && slices.EqualFunc(p.Changes, changes, same) {
			p.Where = append(p.Where, in.String())
			return
		}
	}
	c.out.Parts = append(c.out.Parts, Part{of, []string{in.String()}, changes, before, after})
}

// moved gives a setting the place of its change.
func moved(all []change.Setting, c change.Change, from finding.Location) {
	for i := range all {
		if all[i].Identity == c.Identity && all[i].Location == from {
			all[i].Location = c.Location
		}
	}
}

func same(a, b change.Change) bool {
	return a.Identity == b.Identity && change.Equal(a.Old, b.Old) && change.Equal(a.New, b.New)
}

// held looks for ConfigMaps and Secrets that differ, and that no known program has.
func (c *comparing) held() error {
	var all [2][]change.Held
	for i, v := range c.versions {
		var err error
		if all[i], err = v.objects.Held(); err != nil {
			return err
		}
	}
	find := func(in []change.Held, name string) (change.Held, bool) {
		i := slices.IndexFunc(in, func(h change.Held) bool { return h.Name == name })
		if i < 0 {
			return change.Held{}, false
		}
		return in[i], true
	}
	for side, held := range all {
		for _, h := range held {
			other, both := find(all[1-side], h.Name)
			if slices.Contains(c.used, h.Name) || both && (other.Says == h.Says || side == 0) {
				continue
			}
			what := "it differs"
			if !both {
				what = []string{"it is gone", "it is new"}[side]
			}
			c.out.Gaps = append(c.out.Gaps, Gap{
				Subject: h.Name, Location: c.placeOf(h, side),
				Reason: fmt.Sprintf("%s, and no container of an image in %s has it: nobody knows who reads it", what, c.file),
			})
		}
	}
	return nil
}

// placeOf is where a ConfigMap or a Secret was changed.
func (c *comparing) placeOf(h change.Held, side int) finding.Location {
	v := c.versions[side]
	if v.origin == nil {
		return h.Location
	}
	for _, e := range c.trace.edits {
		if e.New != nil && e.New.Reveal() != "" && strings.Contains(h.Says, e.New.Reveal()) {
			return e.Location
		}
	}
	return v.place(h.Location)
}
