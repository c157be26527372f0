package kubelet

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func pod(cpu string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "p"}}
	p.Spec.NodeName = "n"
	p.Spec.Containers = []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)},
	}}}
	return p
}

func node() *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n", Labels: map[string]string{"zone": "a"}}}
	n.Status.Allocatable = corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("2"), corev1.ResourceMemory: resource.MustParse("4Gi"), corev1.ResourcePods: resource.MustParse("3"),
	}
	return n
}

func TestAdmissionReasons(t *testing.T) {
	// generalFilter and predicateAdmitHandler.Admit (pkg/kubelet/lifecycle/predicate.go).
	terminating := pod("1")
	terminating.DeletionTimestamp = &metav1.Time{}
	for _, row := range []struct {
		name   string
		change func(*corev1.Pod, *corev1.Node)
		others []*corev1.Pod
		reason string // empty: admitted
	}{
		{"fits", nil, nil, ""},
		{"exactly fits", nil, []*corev1.Pod{pod("1")}, ""},
		{"a terminating pod still takes its share", nil, []*corev1.Pod{pod("1"), terminating}, "OutOfcpu"},
		{"too many pods", nil, []*corev1.Pod{pod("0"), pod("0"), pod("0")}, "OutOfpods"},
		{"untolerated NoExecute", func(_ *corev1.Pod, n *corev1.Node) {
			n.Spec.Taints = []corev1.Taint{{Key: "t", Effect: corev1.TaintEffectNoExecute}}
		}, nil, "TaintToleration"},
		{"NoSchedule does not matter", func(_ *corev1.Pod, n *corev1.Node) {
			n.Spec.Taints = []corev1.Taint{{Key: "t", Effect: corev1.TaintEffectNoSchedule}}
			n.Spec.Unschedulable = true
		}, nil, ""},
		{"tolerated for a time", func(p *corev1.Pod, n *corev1.Node) {
			n.Spec.Taints = []corev1.Taint{{Key: "t", Effect: corev1.TaintEffectNoExecute}}
			p.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists, TolerationSeconds: new(int64)}}
		}, nil, ""},
		{"node selector", func(p *corev1.Pod, _ *corev1.Node) { p.Spec.NodeSelector = map[string]string{"zone": "b"} }, nil, "NodeAffinity"},
		{"the kubelet labels the node's system", func(p *corev1.Pod, _ *corev1.Node) {
			p.Spec.NodeSelector = map[string]string{corev1.LabelOSStable: "linux"}
		}, nil, ""},
		{"node name", func(p *corev1.Pod, _ *corev1.Node) { p.Spec.NodeName = "other" }, nil, "NodeName"},
		{"system label", func(p *corev1.Pod, _ *corev1.Node) { p.Labels = map[string]string{corev1.LabelOSStable: "windows"} }, nil, "PodOSSelectorNodeLabelDoesNotMatch"},
		{"system field", func(p *corev1.Pod, _ *corev1.Node) { p.Spec.OS = &corev1.PodOS{Name: "windows"} }, nil, "PodOSNotSupported"},
		{"system of a Windows node", func(p *corev1.Pod, n *corev1.Node) {
			p.Spec.OS = &corev1.PodOS{Name: "windows"}
			n.Labels[corev1.LabelOSStable] = "windows"
		}, nil, ""},
		{"unknown extended resource is passed over", func(p *corev1.Pod, _ *corev1.Node) {
			p.Spec.Containers[0].Resources.Requests["example.com/gpu"] = resource.MustParse("1")
		}, nil, ""},
		{"known extended resource is not", func(p *corev1.Pod, n *corev1.Node) {
			p.Spec.Containers[0].Resources.Requests["example.com/gpu"] = resource.MustParse("2")
			n.Status.Allocatable["example.com/gpu"] = resource.MustParse("1")
		}, nil, "OutOfexample.com/gpu"},
		{"resources before taints", func(p *corev1.Pod, n *corev1.Node) {
			n.Spec.Taints = []corev1.Taint{{Key: "t", Effect: corev1.TaintEffectNoExecute}}
			p.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("3")
		}, nil, "OutOfcpu"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p, n := pod("1"), node()
			if row.change != nil {
				row.change(p, n)
			}
			before, labels := p.DeepCopy(), len(n.Labels)
			ok, reason, message := Admit(p, n, row.others)
			if ok != (row.reason == "") || reason != row.reason || ok != (message == "") {
				t.Errorf("got %v, %q, %q", ok, reason, message)
			}
			if len(n.Labels) != labels || len(p.Spec.Containers[0].Resources.Requests) != len(before.Spec.Containers[0].Resources.Requests) {
				t.Error("an input was changed")
			}
		})
	}
}

func TestHostPortsCollide(t *testing.T) {
	p, other := pod("1"), pod("1")
	for _, each := range []*corev1.Pod{p, other} {
		each.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80, ContainerPort: 80, Protocol: corev1.ProtocolTCP}}
	}
	if ok, reason, _ := Admit(p, node(), []*corev1.Pod{other}); ok || reason != "NodePorts" {
		t.Errorf("got %v, %q", ok, reason)
	}
}

func BenchmarkAdmit(b *testing.B) {
	p, n, others := pod("1"), node(), []*corev1.Pod{pod("100m"), pod("100m")}
	b.ReportAllocs()
	for b.Loop() {
		Admit(p, n, others)
	}
}
