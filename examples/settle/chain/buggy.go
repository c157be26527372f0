package chain

// Buggy lets the API server draw a name, so that the same is never asked for twice.
func Buggy(d *Deployment, s *ReplicaSet) { s.GenerateName = d.Name + "-" }
