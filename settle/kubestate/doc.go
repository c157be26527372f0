// Package kubestate is an API server without time, network and memory: Server.Do
// answers a request on a State and gives the State that there is then. States are
// never changed and share what they have in common, so that a search can go back to
// any of them.
//
// The code that answers is kube-apiserver's own: the handlers of k8s.io/apiserver for
// requests, its registry for what is checked and set in which order, and for custom
// resources the handler of k8s.io/apiextensions-apiserver with pruning, defaults,
// validation and CEL. Below them is a store that is a State (docs/adr/0021).
//
// What kube-apiserver's registries of built-in kinds do beside that, is done here anew:
// defaults, what is refused with which words, status, scale, pods/binding and
// namespaces/finalize. Of its admission plugins there are NamespaceLifecycle,
// DefaultTolerationSeconds and Priority, the last without PriorityClasses. Plugins whose
// work a controller has to undo are left out: a PersistentVolumeClaim gets no finalizer,
// a Node no taint, a Pod no token. The namespaces default, kube-system and kube-public
// exist also without an object. A Service's addresses and ports follow from its name. Nobody
// is warned: the Warning headers of built-in kinds are left out.
package kubestate
