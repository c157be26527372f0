package scheduler

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	realscheduler "k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// scale is by how much the conformance runs are larger than the default ones.
func scale() int {
	if os.Getenv("SEATRIAL_CONFORMANCE") == "1" {
		return 10
	}
	return 1
}

// setup is one configuration, as a function of the default one.
type setup struct {
	name   string
	change func(*config.KubeSchedulerConfiguration)
	// share is how many of a hundred random clusters are tried on it.
	share int
}

func args[T any](cfg *config.KubeSchedulerConfiguration, profile int) *T {
	for _, plugin := range cfg.Profiles[profile].PluginConfig {
		if args, ok := any(plugin.Args).(*T); ok {
			return args
		}
	}
	panic("no such plugin arguments")
}

func disable(cfg *config.KubeSchedulerConfiguration, names ...string) {
	multi := &cfg.Profiles[0].Plugins.MultiPoint
	multi.Enabled = slices.DeleteFunc(multi.Enabled, func(p config.Plugin) bool { return slices.Contains(names, p.Name) })
}

var setups = []setup{
	{"default", nil, 46},
	{"other weights", func(cfg *config.KubeSchedulerConfiguration) {
		for i := range cfg.Profiles[0].Plugins.MultiPoint.Enabled {
			if p := &cfg.Profiles[0].Plugins.MultiPoint.Enabled[i]; p.Weight > 0 {
				p.Weight = []int32{1, 7, 3, 40, 2}[i%5]
			}
		}
	}, 8},
	{"most allocated", func(cfg *config.KubeSchedulerConfiguration) {
		args[config.NodeResourcesFitArgs](cfg, 0).ScoringStrategy = &config.ScoringStrategy{
			Type:      config.MostAllocated,
			Resources: []config.ResourceSpec{{Name: "cpu", Weight: 2}, {Name: "memory", Weight: 1}, {Name: string(extendedResource), Weight: 3}},
		}
	}, 8},
	{"requested to capacity ratio", func(cfg *config.KubeSchedulerConfiguration) {
		args[config.NodeResourcesFitArgs](cfg, 0).ScoringStrategy = &config.ScoringStrategy{
			Type:      config.RequestedToCapacityRatio,
			Resources: []config.ResourceSpec{{Name: "cpu", Weight: 1}, {Name: "memory", Weight: 1}},
			RequestedToCapacityRatio: &config.RequestedToCapacityRatioParam{
				Shape: []config.UtilizationShapePoint{{Utilization: 0, Score: 2}, {Utilization: 60, Score: 10}, {Utilization: 100, Score: 0}},
			},
		}
	}, 8},
	{"some plugins disabled", func(cfg *config.KubeSchedulerConfiguration) {
		disable(cfg, "PodTopologySpread", "ImageLocality", "NodePorts", "VolumeRestrictions")
		cfg.Profiles[0].Plugins.Score.Disabled = []config.Plugin{{Name: "NodeResourcesBalancedAllocation"}}
		cfg.Profiles[0].Plugins.Filter.Disabled = []config.Plugin{{Name: "TaintToleration"}}
	}, 8},
	{"own default spread, added affinity", func(cfg *config.KubeSchedulerConfiguration) {
		spread := args[config.PodTopologySpreadArgs](cfg, 0)
		spread.DefaultingType = config.ListDefaulting
		spread.DefaultConstraints = []corev1.TopologySpreadConstraint{
			{MaxSkew: 1, TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.DoNotSchedule},
			{MaxSkew: 1, TopologyKey: corev1.LabelHostname, WhenUnsatisfiable: corev1.ScheduleAnyway},
		}
		args[config.NodeAffinityArgs](cfg, 0).AddedAffinity = &corev1.NodeAffinity{
			PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{Weight: 5, Preference: corev1.NodeSelectorTerm{
				MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "disk", Operator: corev1.NodeSelectorOpExists}},
			}}},
		}
		inter := args[config.InterPodAffinityArgs](cfg, 0)
		inter.HardPodAffinityWeight, inter.IgnorePreferredTermsOfExistingPods = 50, true
	}, 8},
	{"two profiles", func(cfg *config.KubeSchedulerConfiguration) {
		packer := cfg.Profiles[0].DeepCopy()
		packer.SchedulerName = "packer"
		cfg.Profiles = append(cfg.Profiles, *packer)
		args[config.NodeResourcesFitArgs](cfg, 1).ScoringStrategy.Type = config.MostAllocated
		args[config.DefaultPreemptionArgs](cfg, 1).MinCandidateNodesAbsolute = 1
		args[config.DefaultPreemptionArgs](cfg, 1).MinCandidateNodesPercentage = 0
	}, 10},
	{"no scores", func(cfg *config.KubeSchedulerConfiguration) {
		cfg.Profiles[0].Plugins.Score.Disabled = []config.Plugin{{Name: "*"}}
		cfg.Profiles[0].Plugins.PreScore.Disabled = []config.Plugin{{Name: "*"}}
	}, 4},
}

func (s setup) configuration(t testing.TB) *config.KubeSchedulerConfiguration {
	t.Helper()
	cfg, err := latest.Default()
	if err != nil {
		t.Fatal(err)
	}
	if s.change != nil {
		s.change(cfg)
	}
	return cfg
}

func (s setup) generator(cfg *config.KubeSchedulerConfiguration, seed, i int) *generator {
	g := newGenerator(seed, i)
	g.profiles = nil
	for _, profile := range cfg.Profiles {
		g.profiles = append(g.profiles, profile.SchedulerName)
	}
	return g
}

// tally is what the random clusters exercised.
type tally struct {
	clusters, draws, ties, unschedulable, nominated int
	rejectedBy, decidedBy                           map[string]int
}

func newTally() *tally {
	return &tally{rejectedBy: map[string]int{}, decidedBy: map[string]int{}}
}

// trial holds one configuration's scheduler against real ones.
type trial struct {
	*tally
	subject            *Scheduler
	sequential, racing *oracle
	scores             bool // any score plugin is on
	// without is the subject lacking one score plugin, by the plugin's name.
	without map[string]*Scheduler
}

func newTrial(t testing.TB, s setup, cfg *config.KubeSchedulerConfiguration, counts *tally) *trial {
	t.Helper()
	tr := &trial{
		tally:      counts,
		subject:    newScheduler(t, s.change, testStatic()),
		sequential: newOracle(t, cfg, testStatic(), 1),
		racing:     newOracle(t, cfg, testStatic(), 16),
		without:    map[string]*Scheduler{},
	}
	for _, f := range tr.sequential.Profiles {
		tr.scores = f.HasScorePlugins()
	}
	if s.change == nil {
		for _, plugin := range scorePlugins {
			tr.without[plugin] = newScheduler(t, func(cfg *config.KubeSchedulerConfiguration) {
				cfg.Profiles[0].Plugins.Score.Disabled = []config.Plugin{{Name: plugin}}
			}, testStatic())
		}
	}
	return tr
}

// The plugins that decide without volumes and claims, of the default profile.
var (
	filterPlugins = []string{
		"NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "NodePorts", "NodeResourcesFit",
		"VolumeRestrictions", "VolumeBinding", "PodTopologySpread", "InterPodAffinity",
	}
	scorePlugins = []string{
		"TaintToleration", "NodeAffinity", "NodeResourcesFit", "PodTopologySpread", "InterPodAffinity",
		"NodeResourcesBalancedAllocation", "ImageLocality",
	}
)

// TestDecideEqualsTheRealScheduler schedules the same pods on the same clusters
// by a real scheduler object. For each node one draw lets it arrive first. If it
// is among the best, a scheduler with one worker must then pick it, as it stands
// first among equals (package comment): so these draws together show every
// member of the set, and any node that the set lacks, without luck. Further
// draws have random arrival orders and sixteen racing workers.
func TestDecideEqualsTheRealScheduler(t *testing.T) {
	counts := newTally()
	for number, s := range setups {
		cfg := s.configuration(t)
		tr := newTrial(t, s, cfg, counts)
		for i := range 100 * s.share * scale() {
			g := s.generator(cfg, 1+number, i)
			pod, c := g.cluster()
			if err := tr.check(t, g, pod, c, i); err != nil {
				t.Fatalf("%s, cluster %d: %v", s.name, i, err)
			}
		}
	}
	t.Logf("%d clusters, %d draws, %d with a tie, %d unschedulable, %d on the nominated node",
		counts.clusters, counts.draws, counts.ties, counts.unschedulable, counts.nominated)
	t.Logf("rejected by %v", counts.rejectedBy)
	t.Logf("decided by %v", counts.decidedBy)
	for _, plugin := range filterPlugins {
		if counts.rejectedBy[plugin] == 0 {
			t.Errorf("filter plugin %s never rejected a node", plugin)
		}
	}
	for _, plugin := range scorePlugins {
		if counts.decidedBy[plugin] == 0 {
			t.Errorf("score plugin %s never decided", plugin)
		}
	}
	if counts.ties == 0 || counts.unschedulable == 0 || counts.nominated == 0 {
		t.Error("the random clusters are too narrow")
	}
}

func (tr *trial) check(t *testing.T, g *generator, pod *corev1.Pod, c Cluster, i int) error {
	d := decide(t, tr.subject, pod, c)
	tr.count(t, pod, c, d, i)
	drawn := map[string]bool{}
	draw := func(o *oracle) error {
		tr.draws++
		result, _, fit, err := o.draw(pod)
		if err != nil {
			return err
		}
		if fit != nil {
			return sameRejections(d, fit, c.Nodes)
		}
		drawn[result.SuggestedHost] = true
		return samePick(d, result, len(c.Nodes))
	}
	tr.sequential.load(t, c)
	order := slices.Clone(c.Nodes)
	arrive := func(first *corev1.Node) error {
		g.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		at := slices.Index(order, first)
		order[0], order[at] = order[at], order[0]
		tr.sequential.arrive(t, order)
		return draw(tr.sequential)
	}
	for _, first := range c.Nodes {
		if err := arrive(first); err != nil {
			return err
		}
	}
	// Without scores each draw stops at the first feasible node and moves the
	// start index on, so that the first arrival is not always looked at first: one
	// round of the index, at most a draw per node, offers each node its turn with
	// a chance of at least one half. Where a pod's affinity names nodes the scheduler
	// goes through a set of these, whose order is Go's.
	for extra := 0; (!tr.scores || namesNodes(pod)) && len(drawn) < len(d.Nodes) && extra < 40*len(c.Nodes); extra++ {
		if err := arrive(pick(g, c.Nodes...)); err != nil {
			return err
		}
	}
	for _, node := range d.Nodes {
		if !drawn[node] {
			return fmt.Errorf("the real scheduler never picks %s of %v", node, d.Nodes)
		}
	}
	if i%2 == 0 {
		tr.racing.load(t, c)
		for range 3 {
			if err := draw(tr.racing); err != nil {
				return fmt.Errorf("sixteen workers: %w", err)
			}
		}
	}
	return nil
}

// namesNodes tells whether a pod may only run on nodes that its affinity names.
func namesNodes(pod *corev1.Pod) bool {
	if pod.Spec.Affinity == nil || pod.Spec.Affinity.NodeAffinity == nil || pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return false
	}
	terms := pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	return slices.ContainsFunc(terms, func(t corev1.NodeSelectorTerm) bool { return len(t.MatchFields) > 0 })
}

// count notes what the cluster exercised, and checks on some clusters that the
// decision leaves its input alone and does not depend on the input's order.
func (tr *trial) count(t *testing.T, pod *corev1.Pod, c Cluster, d Decision, i int) {
	t.Helper()
	tr.clusters++
	if len(d.Nodes) > 1 {
		tr.ties++
	}
	if len(d.Nodes) == 0 {
		tr.unschedulable++
	}
	if slices.Equal(d.Nodes, []string{pod.Status.NominatedNodeName}) {
		tr.nominated++
	}
	for _, rejection := range d.Rejected {
		tr.rejectedBy[rejection.Plugin]++
	}
	for plugin, without := range tr.without {
		if !slices.Equal(decide(t, without, pod, c).Nodes, d.Nodes) {
			tr.decidedBy[plugin]++
		}
	}
	if i%10 == 0 {
		before, turned := copyCluster(c), copyCluster(c)
		slices.Reverse(turned.Nodes)
		slices.Reverse(turned.Pods)
		if diff := cmp.Diff(d, decide(t, tr.subject, pod.DeepCopy(), turned)); diff != "" {
			t.Fatalf("another order of the input changes the decision: %s", diff)
		}
		decide(t, tr.subject, pod, c)
		if diff := cmp.Diff(before, c); diff != "" {
			t.Fatalf("the decision changed its input: %s", diff)
		}
	}
}

func copyCluster(c Cluster) Cluster {
	out := Cluster{PDBs: c.PDBs, ReplicaSets: c.ReplicaSets}
	for _, node := range c.Nodes {
		out.Nodes = append(out.Nodes, node.DeepCopy())
	}
	for _, pod := range c.Pods {
		out.Pods = append(out.Pods, pod.DeepCopy())
	}
	for _, pod := range c.Nominated {
		out.Nominated = append(out.Nominated, pod.DeepCopy())
	}
	return out
}

func samePick(d Decision, result realscheduler.ScheduleResult, nodes int) error {
	if !slices.Contains(d.Nodes, result.SuggestedHost) {
		return fmt.Errorf("the real scheduler picks %s, not of %v", result.SuggestedHost, d.Nodes)
	}
	if result.FeasibleNodes > 1 && result.FeasibleNodes != nodes-len(d.Rejected) {
		return fmt.Errorf("%d nodes are feasible to the real scheduler, %d of %d are rejected here", result.FeasibleNodes, len(d.Rejected), nodes)
	}
	return nil
}

func sameRejections(d Decision, fit *framework.FitError, nodes []*corev1.Node) error {
	if len(d.Nodes) > 0 || d.Message != fit.Error() {
		return fmt.Errorf("the real scheduler says %q; here %v, %q", fit.Error(), d.Nodes, d.Message)
	}
	for _, node := range nodes {
		status := fit.Diagnosis.NodeToStatus.Get(node.Name)
		want := Rejection{Plugin: status.Plugin(), Message: status.Message(), Resolvable: status.Code().String() == "Unschedulable"}
		got := d.Rejected[node.Name]
		if want.Plugin == "" && strings.Contains(want.Message, strings.ReplaceAll(got.Plugin, ",", " ")) {
			want.Plugin = got.Plugin // named in the message only
		}
		if got != want {
			return fmt.Errorf("the real scheduler rejects %s with %+v, here %+v", node.Name, want, got)
		}
	}
	return nil
}
