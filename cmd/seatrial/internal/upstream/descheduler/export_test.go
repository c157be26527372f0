package descheduler

import "sigs.k8s.io/descheduler/pkg/api"

// Loaded gives tests a copy of the real policy, to run the real binary's loop.
func (p *Policy) Loaded() *api.DeschedulerPolicy { return p.loaded.DeepCopy() }

// Decode and NewRegistry are held to the real loader's.
var (
	Decode      = decode
	NewRegistry = newRegistry
)
