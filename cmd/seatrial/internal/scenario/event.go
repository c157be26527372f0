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
	EventCustom        EventType = "custom"
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
	EventCustom:        {"when": false, "then": true},
}

// declared are the types that are not the manual's.
var declared []EventType

// DeclareEvent adds a type of event and the fields that it takes, true for
// those it needs. It is for the initialisation of the file that defines such an
// event, in a clone of the repository.
func DeclareEvent(t EventType, fields map[string]bool) {
	declared = append(declared, t)
	eventFields[t] = fields
}

// EventTypes lists the types of events in the order of the manual, and behind
// them those that were declared.
func EventTypes() []EventType {
	return append([]EventType{
		EventLoad, EventNodeLoss, EventDrain, EventMaintenance, EventCordon, EventUncordon, EventApply, EventCreate,
		EventScale, EventRollout, EventRollback, EventPodCrash, EventReadinessFlap, EventNeverReady, EventCustom,
	}, declared...)
}

// Fields are the fields that an event of this type takes beside name, type,
// budget and after; the value says whether it needs the field. Nil means that
// there is no such type.
func (t EventType) Fields() map[string]bool { return eventFields[t] }
