package chain

// Fixed has a name that follows from the Deployment and its version: asked for twice, it is one. The
// real controller has a hash of the template there.
func Fixed(d *Deployment, s *ReplicaSet) { s.Name = d.Name + "-" + d.Spec.Version }
