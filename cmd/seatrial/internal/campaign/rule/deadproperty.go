package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("dead-property", finding.Rule{
		ID: "SEA3013", Name: "dead-property",
		Level:   finding.LevelWarning,
		Title:   "nothing comes of a property",
		Means:   "Of each property of the schema something comes: its value is somewhere in what the operator makes, or in what that says, or the operator writes something when it changes, or makes something else of a new resource. It is said once of a property, and only if at least two values were tried beside that of the seed, or the only one that there is: both of two, where the seed has neither. Items of a list count by themselves: where values of the first go somewhere, something comes of those that are added behind it. So do the parts of an item behind the first of which another part is somewhere.",
		Excuses: "Properties of which something comes of a part. Properties of something that is not enabled, or of one of several kinds of which another may be chosen, or that is taken in the place of something that is made: beside them is a field that says so. Properties of an object none of whose texts could be set, such as a name of what they are about. What is used only outside of the cluster, as by a program that the operator calls. A number of pods, such as replicas, beside an autoscaler of the operator, which decides that. What says what becomes of things when the resource is deleted, or how often the operator looks. A made-up text where few words mean anything, as in a mode. Added items that are not enabled, or of a list from which the resource chooses by name.",
		Why:     "A field is declared and documented, and the line that reads it was never written, or was lost when the code was changed. Users set it and believe that it is so: that a limit holds, that a port is closed.",
		Mend: []string{
			"Use the field, and test that it arrives.",
			"Take it away from the schema in the next version, and say until then that it does nothing.",
			"If it needs another field to be set, require that by a CEL rule.",
		},
		Links: []finding.Link{conventions, validation},
	})
}
