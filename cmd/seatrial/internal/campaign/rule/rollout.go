package rule

import "github.com/seatrial/seatrial/finding"

func init() {
	register("stale-config", finding.Rule{
		ID: "SEA3009", Name: "rollout",
		Level:   finding.LevelWarning,
		Title:   "configuration changes, and the pods that have it stay as they are",
		Means:   "When the data of a ConfigMap or Secret of the operator's changes, pods that mount it or take their environment from it are replaced, or their template changes.",
		Excuses: "Workloads that say that files are read again: a container whose name, image, command or arguments speak of reloading or watching, or an annotation that does; files, if the operator annotates the pods in the same step, which makes their kubelets look at once. A switch of the resource for that (restartOnChange, autoReload) that is off. Objects that the user gives. A change that the operator declines, and says so, or at which its reconciles go on failing: it may have gone a part of the way. Whether a program reads files of a volume again without a word of it cannot be told, and the finding says so: switch the rule off for those. The environment and files of a subPath cannot be read again.",
		Why:     "A kubelet updates files of a ConfigMap after a minute or so, and those of a subPath and the environment never. Most programs read them once. A workload's controller looks at the template, and the template says the same name as before: so the pods keep what they have read, until something else replaces them, one by one, at a time that nobody chose.",
		Mend: []string{
			"Put a hash of the data into an annotation of the pod template.",
			"Or give the object a name with the hash in it, and refer to that.",
			"Or have the program told, by a sidecar or a signal, where it can read again.",
		},
		Links: []finding.Link{configmap, hash},
	})
}
