package settle

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle/internal/manager"
	"github.com/seatrial/seatrial/settle/kubestate"
)

// List is part of client.Reader.
func (c *scripted) List(_ context.Context, list client.ObjectList, opts ...client.ListOption) error {
	r, err := c.resource(list)
	if err != nil {
		return err
	}
	return c.list(r, list, c.cache.reads(r.Kind, manager.FormOf(list)), opts)
}

func (c *scripted) list(r kubestate.Resource, list client.ObjectList, cached bool, opts []client.ListOption) error {
	o := client.ListOptions{}
	o.ApplyOptions(opts)
	to := &call{resource: r, key: r.Prefix(o.Namespace), list: true, labels: o.LabelSelector, field: o.FieldSelector, cached: cached, form: manager.FormOf(list)}
	where := chosen(o.LabelSelector) + chosen(o.FieldSelector)
	if o.Limit > 0 {
		where += fmt.Sprintf(", %d at most", o.Limit)
	}
	to.title, to.text = "list "+short(to.key)+where, "list "+to.key+where
	if o.Continue != "" {
		return c.continued(to)
	}
	a := c.asker.ask(to)
	if a.status != nil {
		return failure(a.status)
	}
	all, next := a.list, ""
	if o.Limit > 0 && int64(len(all)) > o.Limit {
		all, next = all[:o.Limit], "settle"
	}
	if cached {
		next = "continue-not-supported" // as the cache says it
	}
	if err := c.types.fill(list, all, to); err != nil {
		return err
	}
	if c.cache != nil {
		list.SetContinue(next)
	}
	return nil
}

// continued is what a list is that goes on where another ended: a cache has none, and the API server would go on with
// what there was then, of which there is no model.
func (c *scripted) continued(to *call) error {
	if to.cached {
		return errors.New("continue list option is not supported by the cache")
	}
	err := fmt.Errorf("%s: it goes on with a list that had a Limit, and what there was then is not kept: list without a Limit, or from the cache", to.title)
	c.misuse(err)
	return err
}

func chosen(s fmt.Stringer) string {
	if s == nil || reflect.ValueOf(s).Kind() == reflect.Pointer && reflect.ValueOf(s).IsNil() {
		return ""
	}
	return " " + s.String()
}
