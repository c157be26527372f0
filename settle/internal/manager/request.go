package manager

import (
	"cmp"
	"slices"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// CompareRequests orders requests by their namespaces and names.
func CompareRequests(a, b reconcile.Request) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// Include is a list in order with r, and leaves the one that it is given as it is.
func Include(list []reconcile.Request, r reconcile.Request) []reconcile.Request {
	i, found := slices.BinarySearchFunc(list, r, CompareRequests)
	if found {
		return list
	}
	return slices.Insert(slices.Clone(list), i, r)
}

// Exclude is a list in order without r, and leaves the one that it is given as it is.
func Exclude(list []reconcile.Request, r reconcile.Request) []reconcile.Request {
	i, found := slices.BinarySearchFunc(list, r, CompareRequests)
	if !found {
		return list
	}
	return slices.Concat(list[:i], list[i+1:])
}
