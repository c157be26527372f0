package settle

import (
	"context"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle/environment"
)

// Config is what is checked.
type Config struct {
	// Scheme has the types of the reconcilers.
	Scheme *runtime.Scheme
	// CRDs are files, or folders of files, with CustomResourceDefinitions; Definitions are
	// some beside those.
	CRDs        []string
	Definitions []*apiextensionsv1.CustomResourceDefinition
	// Setup registers the controllers with a manager, as main does: their own
	// SetupWithManager is called. It is called several times, and each time makes
	// reconcilers that share nothing.
	// There may be none if there is an Environment.
	Setup func(ctrl.Manager) error
	// Processes are for several such programs, each with a manager of its own, in the place of
	// Setup.
	Processes []Process
	// Environment are those who act by themselves beside the controllers: those of package
	// environment that are chosen, and one's own. The garbage collector is always there.
	// What nobody is here for does not happen: without the kubelet no pod ever runs.
	Environment []environment.Actor
	// Objects are there from the beginning.
	Objects []client.Object
	// Systems are what reconcilers talk to beside the API server, as models.
	Systems []System
	// Desired are what users may ask for: states of one resource or of several. Each
	// is created if it is not there, and where several have one name users go from any
	// of them to any other, in one write, at any time and as often as they like.
	Desired []client.Object
	// Vary are fields of the Desired that users change as well: each by itself, and each two
	// of them in one write. What the API server refuses is left out.
	Vary []Field
	// Match says why the cluster does not match what is desired, nil if it does. It
	// is asked for each of the Desired resources that exists and is not being deleted, as it
	// is then, with a client that reads what there is. Without Match and MatchCEL all is first
	// explored without faults: what there is when nothing changes any more is what has to
	// come to be with faults, too. That finds nothing that goes wrong without faults.
	Match func(ctx context.Context, c client.Reader, desired client.Object) error
	// MatchCEL is the same as an expression that has to be true: object is what is desired, and
	// objects are lists of all by their resource, as in
	//
	//	objects['pods'].filter(p, p.metadata.labels.app == object.metadata.name).size() == object.spec.replicas
	//
	// What cannot be evaluated, because a field is not there, is not true.
	MatchCEL string
	// Given tells what else has to be so for what is desired to be asked for, and for how long:
	// where it is false, Match is not asked. Nil is always.
	Given func(ctx context.Context, c client.Reader, desired client.Object) bool
	// Gone says what is left of a Desired resource that does not exist, nil if nothing. It is asked
	// about each of the Desired that was deleted or not created yet, by its key: where they are of several
	// kinds, it tells them apart by their names. Without it, it suffices that what is deleted goes.
	Gone func(ctx context.Context, c client.Reader, deleted client.ObjectKey) error
	// Always are errors that must never be, by name: what is not to happen even for
	// a moment.
	Always map[string]func(ctx context.Context, c client.Reader) error
	// AlwaysCEL is the same with expressions, which have objects only.
	AlwaysCEL map[string]string
	// Writes are asked about every write of the controllers and of the environment, by name: an
	// error says what is wrong with it. Contracts are the same for one controller each.
	Writes    map[string]func(*Write) error
	Contracts []Contract
	// Faults are those in scope. Without any, all orders of what happens are explored.
	Faults Faults
	// MaxObjects bounds how many objects there are for users to ask for more or for something
	// else, and for what fails beside the controllers: as long as so many are there, they
	// wait. 0 is six and those of Objects. It is part of what a verdict is about.
	MaxObjects int
	// MaxStates bounds how many states are explored; 0 is a million. What is not explored
	// makes a verdict inconclusive.
	MaxStates int
	// Workers is how many goroutines explore; 0 is one for each CPU.
	Workers int
	// Traces is the folder in which Check keeps a trace that fails, by the name of the test, and
	// looks for it the next time; empty for testdata/settle beside the test, NoTraces for none. What
	// cannot be written is no failure.
	Traces string

	// ends are in the place of Match.
	ends *ends
	// keepsNames: generated names are not renamed, since something follows from their letters.
	keepsNames bool
	// draws: reconcilers draw names, numbers, UUIDs, which follow from seeds.
	draws bool
}

// NoTraces is a Config.Traces: none are kept.
const NoTraces = "-"

// Faults say what goes wrong, at any moment and as often as it likes, or as a Budget says; but every fault
// ends at some time, and what is desired has to be reached from there.
type Faults struct {
	// Crash kills the process: what it was at is over, and it begins with what there is.
	Crash bool
	// Timeout lets a request fail, before or after it takes effect.
	Timeout bool
	// Stale lets caches be behind: each, which is one for each process and each of what it
	// watches or reads through its manager's client (see Process.Cache), stops hearing of
	// changes at any moment, and goes on some time. Then it either hears all that it
	// missed, or is listed anew and finds the difference only. Get and List read from one
	// cache at one moment; what the process writes itself is not in it before it is heard.
	Stale bool
	// Gradual lets a cache that is behind go on by a part of what it missed, and be behind still; then,
	// something that was true for a while is seen late, after something older was. It needs Stale, and makes some times
	// as many states.
	Gradual bool
	// Older lets a process that was killed begin with older lists: for each cache of what it watches,
	// an API server may fall behind at any moment, and lists what it has then to the next process, which
	// hears of the rest some time. That is so where there are several API servers, for
	// lists with resourceVersion "0", which client-go makes up to 1.34; and where a second
	// process was waiting to lead with caches that were behind. It needs Crash.
	Older bool
	// Late lets a write of a process that was killed take effect when another runs: one
	// such write at a time.
	Late bool
	// Evict deletes what the controllers have created.
	Evict bool
	// Recreate lets users delete what they asked for, and ask again.
	Recreate bool
	// Budget bounds how often they happen. Without, that is not counted.
	Budget Budget
}

// maxStates and maxObjects are the defaults of Config.MaxStates and MaxObjects.
const (
	maxStates  = 1_000_000
	maxObjects = 6
)
