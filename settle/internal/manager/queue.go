package manager

import (
	"time"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// queue is a work queue that keeps what is added to it for whoever has called the handler.
type queue struct{ added []Added }

func (q *queue) Add(r reconcile.Request)            { q.added = append(q.added, Added{Request: r}) }
func (q *queue) AddRateLimited(r reconcile.Request) { q.added = append(q.added, Added{r, true}) }
func (q *queue) AddAfter(r reconcile.Request, d time.Duration) {
	q.added = append(q.added, Added{r, d > 0})
}
func (q *queue) Len() int                                  { return 0 }
func (q *queue) Get() (r reconcile.Request, shutdown bool) { return r, true }
func (q *queue) Done(reconcile.Request)                    {}
func (q *queue) Forget(reconcile.Request)                  {}
func (q *queue) NumRequeues(reconcile.Request) int         { return 0 }
func (q *queue) ShutDown()                                 {}
func (q *queue) ShutDownWithDrain()                        {}
func (q *queue) ShuttingDown() bool                        { return false }
