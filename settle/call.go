package settle

import (
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/seatrial/seatrial/settle/internal/manager"
	"github.com/seatrial/seatrial/settle/kubestate"
)

// call is one request of a reconciler: a write, or a read of one object or of many.
type call struct {
	write *kubestate.Request
	// actor is who writes, for contracts; empty for users and for what goes wrong.
	actor    string
	resource kubestate.Resource
	// whole: its answer is what the API server says, as it is for subresources with objects of
	// their own. part is the read of one.
	whole bool
	part  *kubestate.Request
	// system is that which is asked, if it is not the API server, and body the request.
	system string
	body   []byte
	// For a read: the key of one object, or the prefix of many and what they are
	// chosen by.
	key    string
	list   bool
	labels labels.Selector
	field  fields.Selector
	// cached tells that it is read from a cache; form is that in which it is read or written.
	cached bool
	form   manager.Form
	// title is what it is called in a trace, and text by what it is compared with the one
	// that was made before.
	title, text string
}

// source is what it is read from.
func (c *call) source() manager.Source { return manager.Source{Kind: c.resource.Kind, Form: c.form} }

// answer is what a call got.
type answer struct {
	// call is what was asked for, to notice that a reconciler asks for something else when
	// it is run again.
	call string
	// object is that of a read or write, nil for none; list are those of a list.
	object *kubestate.Object
	list   []*kubestate.Object
	// status is the JSON of what went wrong; nil for nothing. drawn is that of what a dry run
	// would have written, and body that of the response of a system.
	status, drawn, body []byte
	hash                [16]byte
	// tokens are the numbers of what is counted in it, and renamed what it is with other names.
	tokens  []uint64
	renamed *kubestate.Renamed[*answer]
}

// lateKey names a write that may take effect later.
func (c *call) lateKey() string { return c.actor + "\x00" + c.text }

// changes tells whether a call may change something.
func (c *call) changes() bool { return c.write != nil || c.system != "" }

// way is where a read of one text is made, and in which form.
func (c *call) way() int {
	way := int(c.form) << 1
	if c.cached {
		way++
	}
	return way
}
