package actor

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/controller/deployment/util"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	upstream "github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/deployment"
	"github.com/seatrial/seatrial/statespace"
)

// deployment is the Deployment controller: it sizes ReplicaSets. All writes
// that one reconcile makes from one view are one step.
type deployment struct{}

var _ = model.Register(deployment{})

var byDeployment = model.Component("deployment-controller")

func (deployment) Name() string       { return "deployment" }
func (deployment) Speed() model.Speed { return model.Fast }
func (deployment) Verbs() []model.Verb {
	return []model.Verb{{Name: "sync", Grain: model.ByWork, Fairness: statespace.Weak}}
}

func (deployment) Steps(x *model.Turn) {
	for i := range x.Workloads {
		if x.Workloads[i].Kind == "Deployment" && x.State.Work[i].Exists {
			syncDeployment(x, i)
		}
	}
}

func syncDeployment(x *model.Turn, i int) {
	spec := &x.Workloads[i]
	var room [96]byte
	writes := x.Kube.Remember(model.AskDeployment, false, deploymentKey(x, i, room[:0]), func() any { return askDeployment(x, i) }).([]upstream.Write)
	if len(writes) == 0 {
		return
	}
	to := x.State.Clone()
	work := to.EditWork(i)
	growing := slices.ContainsFunc(x.State.Work[i].Revs(), func(r uint8) bool { return x.Surplus(x.State, i, r) < 0 })
	var said []string
	var done []resize
	for _, w := range writes {
		rev := work.Rev
		for r := range spec.Revisions {
			if !w.Create && spec.Revisions[r].Set.Name == w.ReplicaSet {
				rev = spec.Revisions[r].Of
			}
		}
		set := &work.Sets[rev]
		done = append(done, resize{rev: rev, before: *set})
		if before := set.Replicas; w.Create {
			work.Bear(rev)
			said = append(said, fmt.Sprintf("creates ReplicaSet %s with %d replicas", spec.Revisions[rev].Set.Name, w.Replicas))
		} else if before != w.Replicas {
			said = append(said, fmt.Sprintf("scales ReplicaSet %s from %d to %d", spec.Revisions[rev].Set.Name, before, w.Replicas))
		}
		if wait := spec.Wait(w.MinReadySeconds); !w.Create && set.Wait != wait {
			said = append(said, fmt.Sprintf("sets minReadySeconds of ReplicaSet %s to %d", spec.Revisions[rev].Set.Name, w.MinReadySeconds))
		}
		set.Exists, set.Replicas, set.Wait = true, w.Replicas, spec.Wait(w.MinReadySeconds)
		set.First = !x.Strict && !growing && x.Surplus(to, i, rev) > 0
		set.Desired, set.Max = annotation(w.Annotations, util.DesiredReplicasAnnotation), annotation(w.Annotations, util.MaxReplicasAnnotation)
		done[len(done)-1].after = *set
	}
	if len(said) == 0 {
		said = []string{"records the new size on its ReplicaSets"}
	}
	x.Emit(model.Step{
		Verb: "sync", A: i, Work: i, Kind: model.KindOther, To: to,
		Free: setsWithPods(x, i) > 1,
		Explain: func() model.Explanation {
			e := model.Explanation{Action: fmt.Sprintf("%s: %s", spec.Object(), strings.Join(said, ", ")), Acts: resizes(x, i, done)}
			if setsWithPods(x, i) > 1 {
				e.Refs = []model.Ref{spec.Now(x.State.Work[i]).Ref("spec.strategy", "decides how many pods a rollout may add and take away")}
			}
			return e
		},
	})
}

// resize is one write of a ReplicaSet.
type resize struct {
	rev           uint8
	before, after model.Set
}

// resizes are the acts of what a sync writes to the ReplicaSets of workload i: it may
// write one twice.
func resizes(x *model.Turn, i int, writes []resize) []model.Act {
	var out []model.Act
	for _, w := range writes {
		if w.before != w.after {
			out = append(out, x.Resizes(byDeployment, i, w.rev, w.before, w.after)...)
		}
	}
	return out
}

// deploymentKey holds what a reconcile reads: the Deployment, its ReplicaSets
// and the counts of their pods.
func deploymentKey(x *model.Turn, i int, key []byte) []byte {
	work := x.State.Work[i]
	key = binary.AppendUvarint(key, uint64(i))
	key = append(binary.AppendVarint(key, int64(work.Replicas)), work.Rev, work.Settings)
	var room [4][4]int
	counts := append(room[:0], make([][4]int, len(work.Sets))...)
	x.State.Each(func(_ model.Place, c model.PodCount) {
		if int(c.Work) != i {
			return
		}
		n := &counts[x.Set(c.Pod)]
		for k, is := range [4]bool{c.Active(), c.Active() && c.Ready, c.Active() && x.Available(x.State, c.Pod), c.Phase != model.Failed} {
			if is {
				n[k] += c.N
			}
		}
	})
	for r, set := range work.Sets {
		if !set.Exists && counts[r] == [4]int{} {
			key = append(key, 0)
			continue
		}
		there := byte(1)
		if set.Exists {
			there = 2
		}
		key = append(key, there)
		for _, n := range [...]int{int(set.Replicas), int(set.Desired), int(set.Max), int(set.Wait), int(set.Born), counts[r][0], counts[r][1], counts[r][2], counts[r][3]} {
			key = binary.AppendVarint(key, int64(n))
		}
	}
	return key
}

// askDeployment asks the real controller what it would write.
func askDeployment(x *model.Turn, i int) []upstream.Write {
	spec := &x.Workloads[i]
	d := mutated(x.Deployment(x.State, i))
	pods := map[string][]*corev1.Pod{}
	if d.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType {
		for _, p := range x.Pods(x.State, func(_ model.Place, p model.Pod) bool { return int(p.Work) == i }) {
			name := spec.Revisions[p.Pod.Rev].Set.Name
			pods[name] = append(pods[name], p.Object)
		}
	}
	writes, err := upstream.Sync(d, x.ReplicaSets(x.State, i), pods)
	if err != nil {
		panic(err) // the input was validated, so this is ours
	}
	return writes
}

func annotation(m map[string]string, key string) int32 {
	n, _ := strconv.ParseInt(m[key], 10, 32) // written by the real code
	return int32(n)
}

// setsWithPods counts the ReplicaSets of workload i that have pods: more than
// one means that a rollout is under way, which slow actors do not wait for.
func setsWithPods(x *model.Turn, i int) int {
	seen := map[uint8]bool{}
	x.State.Each(func(_ model.Place, c model.PodCount) {
		if int(c.Work) == i && c.Active() {
			seen[x.Set(c.Pod)] = true
		}
	})
	return len(seen)
}
