// Package kubestate is an API server without time, network and memory: Server.Do
// answers a request on a State and gives the State that there is then. States are
// never changed and share what they have in common, so that a search can go back to
// any of them.
//
// The code that answers is kube-apiserver's own: the handlers of k8s.io/apiserver for
// requests, its registry for what is checked and set in which order, and for custom
// resources the handler of k8s.io/apiextensions-apiserver with pruning, defaults,
// validation and CEL. Below them is a store that is a State (docs/adr/0021).
package kubestate
