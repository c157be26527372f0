// Package descheduler runs one cycle of the descheduler 0.36.0 as a function
// of a cluster: its own plugins and DefaultEvictor, built by its own
// NewProfile, on indexers filled directly, with an eviction API that grants
// everything.
//
// # What a cycle is
//
// As upstream's runDeschedulerLoop: counters start at zero; the ready nodes
// under the policy's nodeSelector are listed once, and with fewer than two the
// cycle is skipped; then every profile's deschedule plugins run, in order,
// then every profile's balance plugins. The limits maxNoOfPodsToEvict… are
// counted by the real PodEvictor over the whole cycle. A plugin's error ends
// that plugin only; here it is returned, since none is expected.
//
// # Order
//
// The real lists come from maps: nodes once per cycle, a node's pods anew for
// each plugin. Plugins range over maps too. Cycle runs one order; Outcomes runs
// all that can matter and merges what is equal but for names:
//
//   - a plugin's list order: permutations of each node's pods, pods of one
//     class being exchangeable;
//   - node order, shared by all plugins of a cycle: permutations, where a
//     plugin depends on it;
//   - map order inside plugins (equal domains of a spread constraint, nodes of
//     equal usage, owners and pods to evict under a limit): all orders the Go
//     specification allows. A given Go release may not produce all of these.
//
// See OrdersMax for the bound, and ErrPartial for what happens beyond. One more
// condition: upstream sorts pods with comparisons that call equal pods smaller
// both ways, whose result on more than twelve pods of a node depends on pods
// that are no candidates for eviction; their places are not permuted.
//
// An outcome's list is one real order of requests. Others may be real too: use
// the list as a set where the order of requests matters.
//
// # Sight of earlier evictions
//
// The real caches follow a watch while the cycle runs. A plugin reads the list of
// each node once, node after node; the watch delivers the evictions of the cycle in
// their order, and how far it has come when a list is read is open. So a list may
// show no eviction, any beginning of them, or all, and no list shows less than the
// one read before it. Outcomes covers all of that, for the evictions that a later
// plugin can tell. An evicted pod is seen terminating; it is not seen gone, nor its
// replacement created: both take longer than a cycle.
//
// # Time
//
// Some arguments compare a pod's times with the wall clock (Policy.Clocked
// names them). The objects' own times are used as they are.
package descheduler
