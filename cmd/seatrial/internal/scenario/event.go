package scenario

// The types of events; docs/scenario.md says what each does.
const (
	EventLoad          EventType = "load"
	EventNodeLoss      EventType = "node-loss"
	EventDrain         EventType = "drain"
	EventMaintenance   EventType = "maintenance"
	EventCordon        EventType = "cordon"
	EventUncordon      EventType = "uncordon"
	EventApply         EventType = "apply"
	EventCreate        EventType = "create"
	EventScale         EventType = "scale"
	EventRollout       EventType = "rollout"
	EventRollback      EventType = "rollback"
	EventPodCrash      EventType = "pod-crash"
	EventReadinessFlap EventType = "readiness-flap"
	EventNeverReady    EventType = "never-ready"
)

// eventFields are, per type of event, the fields that it takes beside name,
// type, budget and after; true marks those that it needs.
var eventFields = map[EventType]map[string]bool{
	EventLoad:          {"workload": false, "load": false, "range": false},
	EventNodeLoss:      {"nodes": false, "returns": false},
	EventDrain:         {"nodes": false},
	EventMaintenance:   {"nodes": false},
	EventCordon:        {"nodes": false},
	EventUncordon:      {"nodes": false},
	EventApply:         {"manifest": true},
	EventCreate:        {"manifest": true},
	EventScale:         {"workload": false, "replicas": true},
	EventRollout:       {"workload": false, "manifest": false},
	EventRollback:      {"workload": false},
	EventPodCrash:      {"workload": false},
	EventReadinessFlap: {"workload": false},
	EventNeverReady:    {"workload": false, "nodes": false, "template": false},
}

// EventTypes lists the types of events in the order of the manual.
func EventTypes() []EventType {
	return []EventType{
		EventLoad, EventNodeLoss, EventDrain, EventMaintenance, EventCordon, EventUncordon, EventApply, EventCreate,
		EventScale, EventRollout, EventRollback, EventPodCrash, EventReadinessFlap, EventNeverReady,
	}
}

// Fields are the fields that an event of this type takes beside name, type,
// budget and after; the value says whether it needs the field. Nil means that
// there is no such type.
func (t EventType) Fields() map[string]bool { return eventFields[t] }
