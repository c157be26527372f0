// Package settle finds out whether Go reconcilers are eventually stable: once what is
// desired does not change any more, the cluster comes to match it and stays so, whatever
// happens on the way. Check explores the reconcilers themselves on an API server that is a
// pure function (settle/kubestate): each request of theirs is a point at which
// others go on, the process is killed, or the answer is lost.
//
// A reconciler is run anew from its beginning for each request, with the answers that it
// has had until then; what it does next is what it asks for behind them. So it is to
// depend on its answers only: not on a clock, on chance, or on what it remembers. It may start
// goroutines, sleep, and write what time it is. What does not hold to this ends the search
// with an error that names it; but os.Exit, log.Fatal and panics of goroutines that a reconcile
// starts end the test, since nothing can hold them up.
package settle
