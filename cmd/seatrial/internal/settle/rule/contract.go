package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("unconditional", finding.Rule{
		ID: "SEA5004", Name: "contract",
		Title:   "a write breaks what its controller guarantees, or what another relies on",
		Means:   "Every write that is explored keeps every contract: what a controller guarantees of its own writes (Guarantees), what it relies on in those of all others (Relies), and what the test says of all writes (Writes). Also writes that the API server refuses are judged. The trace ends at the write.",
		Excuses: "What users do, and what goes wrong, breaks no contract: it is in scope by itself. Reads are not judged.",
		Why: `A deletion by name alone takes whatever has the name by then: the object that was read may have been deleted, and made again by somebody else. An update without a resourceVersion, or a patch of a status, overwrites what another has written since. And a field that two controllers write is right for each of them alone.

Such a write may do no harm in the test at hand, since nobody is there to be harmed: a contract finds it before there is somebody. Two controllers that keep their contracts may be checked apart.`,
		Mend: []string{
			"Delete with the UID that was read: client.Preconditions{UID: &uid}, and with its resourceVersion where what it says matters.",
			"Update what was read, so that a conflict says when it has changed; patch with client.MergeFromWithOptimisticLock.",
			"Give each field one writer: by server-side apply with a field manager of its own, or in an object of its own.",
			"If the contract asks for too much, write it for the kinds and fields that are shared.",
		},
		Links: []finding.Link{
			concepts, conventions,
			{Title: "Server-side apply", URL: "https://kubernetes.io/docs/reference/using-api/server-side-apply/"},
		},
	})
}
