package cluster

// Whole is o, with every property decided instead of only the first violation,
// of all workloads together;
// distinct takes the model in which pods and nodes are told apart.
func Whole(o Options, distinct bool) Options {
	o.All, o.distinct, o.together = true, distinct, true
	return o
}
