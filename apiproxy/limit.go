package apiproxy

// expiry is what remains of a limit after Relist: watches that resume from at or
// below it are told once that this is too old.
type expiry struct {
	limit int64
	// left is how often, by the identity of the watch; once if it is not in it.
	left map[string]int
}

// unlimited tells of resources that nothing is done to.
func unlimited(resource string) bool {
	switch resource {
	case "leases.coordination.k8s.io", "events", "events.events.k8s.io":
		return true
	}
	return false
}

// limit is the limit of a resource. The engine is locked.
func (i *Incarnation) limit(resource string) (int64, bool) {
	limit, limited := i.limits[resource]
	if all, is := i.limits[""]; is && (!limited || all < limit) {
		limit, limited = all, true
	}
	return limit, limited
}

// stale tells whether the client would take an answer as of the limit.
func (i *Incarnation) stale(x *Exchange) bool { return i.exact(x) > 0 }

// exact is the revision at which a read is answered that would take any version
// up to the limit; 0 for one that passes.
func (i *Incarnation) exact(x *Exchange) int64 {
	i.engine.mu.Lock()
	defer i.engine.mu.Unlock()
	limit, limited := i.limit(x.base())
	if !limited || limit < 1 || unlimited(x.base()) || x.ResourceVersion == "" || x.Match == "Exact" {
		return 0
	}
	if r := revisionOf(x.ResourceVersion); x.ResourceVersion != "0" && (r == 0 || r > limit) {
		return 0
	}
	return limit
}

// lift removes limits. The engine is locked.
func (i *Incarnation) lift(resource string, how Lifting) {
	lifted := map[string]int64{}
	for of, limit := range i.limits {
		if of == resource || resource == "" {
			lifted[of] = limit
		}
	}
	if how == Relist && len(lifted) > 0 {
		i.expire(lifted)
	}
	for of := range lifted {
		delete(i.limits, of)
	}
}

// expire ends the streams that are limited by one of these limits, which are
// removed next.
func (i *Incarnation) expire(lifted map[string]int64) {
	for of, limit := range lifted {
		i.expired[of] = &expiry{limit: limit, left: map[string]int{}}
	}
	for s := range i.open {
		for _, of := range []string{s.resource, ""} {
			if limit, is := lifted[of]; is && !s.free && !s.initial {
				s.relist = true
				if s.delivered <= limit {
					i.expired[of].left[s.identity]++
				}
			}
		}
	}
}

// takeExpiry tells whether a watch that resumes from a revision is told that this
// is too old, and that it was.
func (i *Incarnation) takeExpiry(resource, identity string, revision int64) bool {
	i.engine.mu.Lock()
	defer i.engine.mu.Unlock()
	old := false
	for _, of := range []string{resource, ""} {
		e := i.expired[of]
		if e == nil || revision == 0 || revision > e.limit {
			continue
		}
		left, known := e.left[identity]
		if !known {
			left = 1
		}
		if left > 0 {
			left, old = left-1, true
		}
		e.left[identity] = left
	}
	return old
}

// wake has all streams look again. The engine is locked.
func (i *Incarnation) wake() {
	for s := range i.open {
		notify(s.woken)
	}
}
