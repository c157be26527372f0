package apiproxy

type stream struct{}

type expiry struct{}

func (s *stream) activity() StreamActivity { return StreamActivity{} }

func (i *Incarnation) lift(resource string, how Lifting) { delete(i.limits, resource) }

func (i *Incarnation) wake() {}
