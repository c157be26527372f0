package trial

import (
	"testing"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// quick has the autoscaler look every second and wait for nothing.
func quick(o *controlplane.Options) {
	o.Spec.Mode = "lean"
	o.Spec.ControllerManager = map[string]string{
		"horizontal-pod-autoscaler-sync-period":               "1s",
		"horizontal-pod-autoscaler-initial-readiness-delay":   "0s",
		"horizontal-pod-autoscaler-cpu-initialization-period": "0s",
	}
}

// TestAutoscaler: what is set as usage comes to the autoscaler through the
// aggregated metrics APIs, of every sort, and it scales by it.
func TestAutoscaler(t *testing.T) {
	half := int32(50)
	ten := resource.MustParse("10")
	object := autoscalingv2.CrossVersionObjectReference{APIVersion: "v1", Kind: "Service", Name: "queue"}
	cases := []struct {
		name   string
		metric autoscalingv2.MetricSpec
		usage  admin.Usage
	}{
		{
			"resource",
			autoscalingv2.MetricSpec{Type: autoscalingv2.ResourceMetricSourceType, Resource: &autoscalingv2.ResourceMetricSource{
				Name: corev1.ResourceCPU, Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &half},
			}},
			admin.Usage{Selector: "app=web", Resources: map[string]string{"cpu": "100m"}},
		},
		{
			"external",
			autoscalingv2.MetricSpec{Type: autoscalingv2.ExternalMetricSourceType, External: &autoscalingv2.ExternalMetricSource{
				Metric: autoscalingv2.MetricIdentifier{Name: "messages"}, Target: autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: &ten},
			}},
			admin.Usage{External: true, Metric: "messages", Value: "40"},
		},
		{
			"object",
			autoscalingv2.MetricSpec{Type: autoscalingv2.ObjectMetricSourceType, Object: &autoscalingv2.ObjectMetricSource{
				DescribedObject: object,
				Metric:          autoscalingv2.MetricIdentifier{Name: "requests"}, Target: autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: &ten},
			}},
			admin.Usage{Object: "Service/queue", Namespace: "default", Metric: "requests", Value: "40"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := controlplane.Start(t, quick)
			client := clientOf(t, p.Kubeconfig)
			service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "queue"}, Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80}}}}
			if _, err := client.CoreV1().Services("default").Create(t.Context(), service, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			create(t, client, deployment("web", 2))
			await(t, p, "web", available("web", 2))
			if err := p.Admin.SetUsage(t.Context(), p.Name, c.usage); err != nil {
				t.Fatal(err)
			}
			least := int32(2)
			autoscaler := &autoscalingv2.HorizontalPodAutoscaler{
				ObjectMeta: metav1.ObjectMeta{Name: "web"},
				Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
					ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"},
					MinReplicas:    &least, MaxReplicas: 4, Metrics: []autoscalingv2.MetricSpec{c.metric},
				},
			}
			if _, err := client.AutoscalingV2().HorizontalPodAutoscalers("default").Create(t.Context(), autoscaler, metav1.CreateOptions{}); err != nil {
				t.Fatal(err)
			}
			e := await(t, p, "more replicas", func(e history.Event) bool {
				replicas, _ := e.Object.Number("spec", "replicas")
				return e.Resource == "deployments.apps" && replicas == 4
			})
			if e.Actor != "horizontal-pod-autoscaler-controller" {
				t.Errorf("scaled by %q", e.Actor)
			}
			await(t, p, "them to be available", available("web", 4))
		})
	}
	t.Run("bad", func(t *testing.T) {
		p := controlplane.Start(t, quick)
		if err := p.Admin.SetUsage(t.Context(), p.Name, admin.Usage{Selector: "app=web", Resources: map[string]string{"cpu": "much"}}); err == nil {
			t.Error("cpu: much")
		}
	})
}

const duplicates = `apiVersion: descheduler/v1alpha2
kind: DeschedulerPolicy
profiles:
- name: trial
  pluginConfig:
  - {name: DefaultEvictor, args: {nodeFit: false}}
  - {name: RemoveDuplicates, args: {}}
  plugins: {balance: {enabled: [RemoveDuplicates]}}
`

// crowd is a Deployment of three pods on one of three nodes where they may be.
func crowd(t *testing.T, p *controlplane.Plane) {
	t.Helper()
	client := clientOf(t, p.Kubeconfig)
	d := deployment("web", 3)
	d.Spec.Template.Spec.NodeSelector = map[string]string{"only": "here"}
	nodes, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	label := func(node int) {
		patch := []byte(`{"metadata": {"labels": {"only": "here"}}}`)
		if _, err := client.CoreV1().Nodes().Patch(t.Context(), nodes.Items[node].Name, "application/merge-patch+json", patch, metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	label(0)
	create(t, client, d)
	await(t, p, "web", available("web", 3))
	label(1)
	label(2)
}

// evicted tells whether an event is that the descheduler takes a pod away.
func evicted(e history.Event) bool {
	return e.Resource == "pods" && e.Actor == "descheduler" && e.Object.At("metadata", "deletionTimestamp") != nil
}

// TestDescheduler: one cycle evicts through the API what a policy says, and is
// over when it answers.
func TestDescheduler(t *testing.T) {
	p := controlplane.Start(t, lean)
	crowd(t, p)
	done, err := p.Admin.Deschedule(t.Context(), p.Name, duplicates)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range p.History() {
		if evicted(e) && e.Revision <= done.Revision {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%d pods were evicted, want 2 of 3 on one node", n)
	}
	if _, err := p.Admin.Deschedule(t.Context(), p.Name, "kind: Nonsense"); err == nil {
		t.Error("nonsense is a policy")
	}
}

// TestDeschedulerRuns: with a policy in the spec the descheduler looks by itself, also
// after a reset, and when it is asked to.
func TestDeschedulerRuns(t *testing.T) {
	for _, interval := range []string{"100ms", "1h"} {
		t.Run(interval, func(t *testing.T) {
			p := controlplane.Start(t, lean, func(o *controlplane.Options) {
				o.Spec.Descheduler, o.Spec.Descheduling = duplicates, interval
			})
			for range 2 {
				crowd(t, p)
				if interval == "1h" {
					if _, err := p.Admin.Deschedule(t.Context(), p.Name, ""); err != nil {
						t.Fatal(err)
					}
				}
				await(t, p, "an eviction", evicted)
				p.Reset()
			}
		})
	}
}
