// Package disposable is a cluster of the user's as a place for runs of an operator: one that may be
// broken, since whatever is in the namespaces of a campaign is deleted between runs. Pods really run
// there, if they do in that cluster (docs/adr/0035).
//
// Nothing that was there before is changed by seatrial, and everything that it makes has [Label] and is
// removed in the end.
package disposable

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/kubeconfig"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/temporary"
	"github.com/seatrial/seatrial/history"
)

// Label is what everything has that seatrial makes in a cluster.
const Label = "seatrial.dev/disposable"

// Options say which cluster, and what is set up in it.
type Options struct {
	Cluster kubeconfig.Choice
	// Setup is there before the operator, and Seed the custom resource that runs begin with.
	Setup []history.Object
	Seed  history.Object
	// Parallel is how many runs there may be at once, if the operator is Namespaced: told in which namespace it is to
	// work; and if it keeps to that.
	Parallel   int
	Namespaced bool
	Now        func() time.Time
}

// Cluster is one under trial. A slot is for one run at a time; there is one until [Cluster.Grow].
type Cluster struct {
	o       Options
	login   *kubeconfig.Login
	version string
	ledger  *ledger
	feed    *feed
	free    chan *slot
	// folder is for the runs; if the command is killed, the next one removes it.
	folder       string
	removeFolder func()

	mu sync.Mutex
	// slots are none until it is known what there was before; each has a run of its own.
	slots []*slot
	runs  int
	// outside is something that the operator has written outside of the namespace of its slot, and single says why
	// there is one slot; empty if there are several.
	outside *history.Key
	single  string
	changed chan struct{} // closed with each write
	// objects are all that there are, and before those that there were before anything was set up.
	objects history.State
	before  map[history.Key]bool
	// altered are those of before that the operator has written to.
	altered map[history.Key]bool
}

const (
	// readyMax is how long it may take until what comes with a namespace is there.
	readyMax = 30 * time.Second
	// closeMax is how long it may take to remove everything in the end.
	closeMax = 3 * time.Minute
)

// Open sets up a cluster. It fails with a [kubeconfig.Error] for one that has any of what would be set up.
func Open(ctx context.Context, o Options) (c *Cluster, err error) {
	login, err := o.Cluster.Read()
	if err != nil {
		return nil, err
	}
	if err := beneath(login.Config); err != nil {
		return nil, kubeconfig.Errorf("context %s: %v", login.Context, err)
	}
	login.Config.QPS = -1
	c = &Cluster{o: o, login: login, ledger: newLedger(), changed: make(chan struct{}), objects: history.State{}, before: map[history.Key]bool{}, altered: map[history.Key]bool{}, free: make(chan *slot, max(o.Parallel, 1))}
	if err := c.ask(); err != nil {
		return nil, err
	}
	if c.folder, c.removeFolder, err = temporary.Folder("seatrial-campaign-"); err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(login.Config)
	if err == nil {
		c.feed = &feed{client: client, seed: schema.FromAPIVersionAndKind(o.Seed.Text("apiVersion"), o.Seed.Text("kind")), tell: c.take}
		err = c.feed.start(ctx, login.Config)
	}
	if err != nil {
		c.abandon()
		return nil, c.failure(err)
	}
	c.mu.Lock()
	for key := range c.objects {
		c.before[key] = true
	}
	c.mu.Unlock()
	if err := c.vacant(); err != nil {
		c.abandon()
		return nil, err
	}
	if err := c.add(ctx, newSlot(c, renaming{}), o.Setup); err != nil {
		return nil, errors.Join(c.failure(err), c.Close())
	}
	return c, nil
}

// ask finds out whether there is a cluster.
func (c *Cluster) ask() error {
	client, err := discovery.NewDiscoveryClientForConfig(c.login.Config)
	if err != nil {
		return c.failure(err)
	}
	version, err := client.ServerVersion()
	if err != nil {
		return c.failure(err)
	}
	c.version = version.GitVersion
	return nil
}

// failure says of which cluster an error is, and that it is the user's if it is about rights.
func (c *Cluster) failure(err error) error {
	if apierrors.IsUnauthorized(err) {
		return kubeconfig.Errorf("context %s: the cluster does not accept the credentials: %v", c.login.Context, err)
	}
	return fmt.Errorf("context %s: %w", c.login.Context, err)
}

// add applies the setup of a slot, takes down what there is then, and lets runs have it.
func (c *Cluster) add(ctx context.Context, s *slot, setup []history.Object) error {
	c.mu.Lock()
	c.slots = append(c.slots, s)
	c.mu.Unlock()
	driver, err := stage.NewDriver(s.place(""), plan.User)
	if err != nil {
		return err
	}
	if err := driver.Setup(ctx, setup); err != nil {
		return &stage.SetupError{Err: err}
	}
	if err := c.feed.synced(ctx); err != nil {
		return err
	}
	if err := s.furnished(ctx); err != nil {
		return err
	}
	if err := s.takeBase(ctx); err != nil {
		return err
	}
	c.free <- s
	return nil
}

// vacant is an error if any of what is set up, or the seed, is in the cluster.
func (c *Cluster) vacant() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, o := range append(slices.Clone(c.o.Setup), c.o.Seed) {
		gvk := schema.FromAPIVersionAndKind(o.Text("apiVersion"), o.Text("kind"))
		for key, is := range c.objects {
			same := schema.FromAPIVersionAndKind(is.Text("apiVersion"), is.Text("kind")).GroupKind() == gvk.GroupKind() && key.Name == o.Text("metadata", "name")
			if !same || key.Namespace != "" && key.Namespace != namespaceOf(o) {
				continue
			}
			if is.At("metadata", "labels", Label) != nil {
				return kubeconfig.Errorf("context %s: the cluster has the %s %s of another campaign: wait until that is over, or if it was killed, remove what it has left, which has the label %s", c.login.Context, gvk.Kind, key.Name, Label)
			}
			return kubeconfig.Errorf("context %s: the cluster has a %s %s already, and what was there before is not changed: give it another name, or delete it in the cluster", c.login.Context, gvk.Kind, key.Name)
		}
	}
	return nil
}

// namespaceOf is where an object is put that is in any namespace.
func namespaceOf(o history.Object) string {
	if namespace := o.Text("metadata", "namespace"); namespace != "" {
		return namespace
	}
	return metav1.NamespaceDefault
}

// take is told of each write.
func (c *Cluster) take(ctx context.Context, e history.Event) {
	by := c.ledger.author(ctx, &e)
	if e.Actor = by.actor; e.Actor == "" {
		e.Actor, e.Outside = writer(e.Object), true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.objects.Apply(e)
	if e.Resource == crds && e.Type == history.Delete { // it goes when all that it defines has gone
		maps.DeleteFunc(c.objects, func(key history.Key, _ history.Object) bool { return key.Resource == e.Name })
	}
	if by.slot != nil && c.before[e.Key] {
		c.altered[e.Key] = true
	}
	if by.actor == plan.Controller && !by.slot.own[e.Namespace] {
		c.outside = &e.Key
	}
	for _, s := range c.slots {
		if s.concerns(e, by) {
			s.log = append(s.log, e)
			s.moved = c.o.Now()
		}
	}
	close(c.changed)
	c.changed = make(chan struct{})
}

// writer is how whoever wrote an object last calls itself, as far as that says.
func writer(o history.Object) string {
	entries, _ := o.At("metadata", "managedFields").([]any)
	name, newest := "", ""
	for _, each := range entries {
		entry, _ := each.(map[string]any)
		if at, _ := entry["time"].(string); at >= newest {
			newest = at
			name, _ = entry["manager"].(string)
		}
	}
	return name
}

// Kubernetes is the version of the cluster.
func (c *Cluster) Kubernetes() string { return c.version }

// Lost is never: nobody starts another cluster.
func (c *Cluster) Lost() int { return 0 }

// Grow adds slots, in namespaces that are like the seed's, if the operator works in one namespace only, as far as was
// seen by then.
func (c *Cluster) Grow(ctx context.Context) error {
	namespace := c.o.Seed.Text("metadata", "namespace")
	c.mu.Lock()
	switch {
	case c.o.Parallel < 2:
		c.single = "as was asked for"
	case !c.o.Namespaced || namespace == "":
		c.single = "since nothing tells the operator to work in the namespace of a run only ($(NAMESPACE))"
	case c.outside != nil:
		c.single = fmt.Sprintf("since the operator writes outside of its namespace (%s)", c.outside)
	}
	single := c.single
	c.mu.Unlock()
	if single != "" {
		return nil
	}
	setup := []history.Object{{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": namespace}}}
	for _, o := range c.o.Setup {
		if o.Text("metadata", "namespace") == namespace {
			setup = append(setup, o)
		}
	}
	for number := 2; number <= c.o.Parallel; number++ {
		r := newRenaming(namespace, strconv.Itoa(number))
		if c.has(history.Key{Resource: namespaces, Name: r.slot}) {
			return kubeconfig.Errorf("context %s: the cluster has a Namespace %s already: delete it, or give --parallel=1", c.login.Context, r.slot)
		}
		if err := c.add(ctx, newSlot(c, r), setup); err != nil {
			return c.failure(err)
		}
	}
	return nil
}

func (c *Cluster) has(key history.Key) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.objects[key] != nil
}

// Real says what pods run on.
func (c *Cluster) Real() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	count := map[string]int{}
	for key, o := range c.objects {
		if key.Resource == "nodes" {
			count[o.Text("status", "nodeInfo", "containerRuntimeVersion")]++
		}
	}
	var all []string
	for _, runtime := range slices.Sorted(maps.Keys(count)) {
		all = append(all, fmt.Sprintf("%d with %s", count[runtime], runtime))
	}
	how := fmt.Sprintf("in %d namespaces at once", len(c.slots))
	if c.single != "" {
		how = "one at a time, " + c.single
	}
	return fmt.Sprintf("the cluster of the context %s, %s; its nodes: %s", c.login.Context, how, strings.Join(all, ", "))
}

// Notes are what is to be said of it.
func (c *Cluster) Notes() []string {
	var notes []string
	if unseen := c.feed.notSeen(); unseen != "" {
		notes = append(notes, "what may not be listed in the cluster is not compared: "+unseen)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range slices.SortedFunc(maps.Keys(c.altered), history.Key.Compare) {
		notes = append(notes, fmt.Sprintf("the operator has changed %s, which was in the cluster before: it is left as it is now", key))
	}
	return notes
}

// Use does something in a slot when that was reset; it waits for one that is free.
func (c *Cluster) Use(ctx context.Context, do func(context.Context, stage.Place) error) (err error) {
	var s *slot
	select {
	case s = <-c.free:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { c.free <- s }()
	if err := s.reset(ctx); err != nil {
		return c.failure(err)
	}
	c.mu.Lock()
	c.runs++
	folder := filepath.Join(c.folder, fmt.Sprintf("run-%d", c.runs))
	c.mu.Unlock()
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	return do(ctx, s.place(folder))
}

// abandon ends all watches.
func (c *Cluster) abandon() {
	if c.feed != nil {
		c.feed.stop()
	}
	c.removeFolder()
}

// Close removes everything that was made. No run is under way any more. It does so, too, when the
// campaign was ended before its time.
func (c *Cluster) Close() error {
	ctx, cancel := context.WithTimeoutCause(context.Background(), closeMax, fmt.Errorf("not everything could be removed within %s; what is left of what seatrial has made has the label %s", closeMax, Label))
	defer cancel()
	defer c.abandon()
	var errs []error
	for _, s := range slices.Backward(c.slots) {
		if err := s.remove(ctx); err != nil {
			errs = append(errs, c.failure(err))
		}
	}
	return errors.Join(errs...)
}
