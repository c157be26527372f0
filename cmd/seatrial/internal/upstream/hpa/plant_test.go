package hpa

import (
	"context"
	"fmt"
	"testing"
	"time"
	_ "unsafe" // for go:linkname

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/scale"
	core "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
	custom "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	ext "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	metricsapi "k8s.io/metrics/pkg/apis/metrics/v1beta1"
	metricsfake "k8s.io/metrics/pkg/client/clientset/versioned/fake"
	customfake "k8s.io/metrics/pkg/client/custom_metrics/fake"
	extfake "k8s.io/metrics/pkg/client/external_metrics/fake"
)

//go:linkname reconcileAutoscaler k8s.io/kubernetes/pkg/controller/podautoscaler.(*HorizontalController).reconcileAutoscaler
func reconcileAutoscaler(a *podautoscaler.HorizontalController, ctx context.Context, hpa *autoscalingv2.HorizontalPodAutoscaler, key string) error

//go:linkname enqueueHPA k8s.io/kubernetes/pkg/controller/podautoscaler.(*HorizontalController).enqueueHPA
func enqueueHPA(a *podautoscaler.HorizontalController, obj interface{})

// plant is the real controller with the real metrics client on fake APIs. It
// is made outside of any synctest bubble, so that its own goroutines (events,
// work queue) live on; the reconciles are called inside, on a fake clock.
type plant struct {
	controller *podautoscaler.HorizontalController
	pods       cache.Indexer

	// What the APIs answer.
	scale   autoscalingv1.Scale
	samples []metricsapi.PodMetrics
	in      Input

	// What the controller wrote in the last reconcile.
	status autoscalingv2.HorizontalPodAutoscalerStatus
}

func newPlant(t *testing.T) *plant {
	t.Helper()
	p := &plant{}
	client := &fake.Clientset{}
	client.AddReactor("update", "horizontalpodautoscalers", func(action core.Action) (bool, runtime.Object, error) {
		hpa := action.(core.UpdateAction).GetObject().(*autoscalingv2.HorizontalPodAutoscaler)
		p.status = *hpa.Status.DeepCopy()
		return true, hpa, nil
	})
	client.AddReactor("*", "events", func(core.Action) (bool, runtime.Object, error) { return true, &corev1.Event{}, nil })
	samples := &metricsfake.Clientset{}
	samples.AddReactor("list", "pods", func(core.Action) (bool, runtime.Object, error) {
		return true, &metricsapi.PodMetricsList{Items: p.samples}, nil
	})
	perObject := &customfake.FakeCustomMetricsClient{}
	perObject.AddReactor("get", "*", func(action core.Action) (bool, runtime.Object, error) {
		return p.customMetric(action.(customfake.GetForAction))
	})
	outside := &extfake.FakeExternalMetricsClient{}
	outside.AddReactor("list", "*", func(action core.Action) (bool, runtime.Object, error) {
		list := &ext.ExternalMetricValueList{}
		if value, ok := p.in.External[action.GetResource().Resource]; ok {
			list.Items = []ext.ExternalMetricValue{{Value: value}}
		}
		return true, list, nil
	})
	apps := schema.GroupVersion{Group: "apps", Version: "v1"}
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{apps})
	mapper.Add(apps.WithKind("Deployment"), meta.RESTScopeNamespace)
	factory := informers.NewSharedInformerFactory(client, 0)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	p.controller = podautoscaler.NewHorizontalController(ctx, client.CoreV1(), scales{p}, client.AutoscalingV2(), mapper,
		metrics.NewRESTMetricsClient(samples.MetricsV1beta1(), perObject, outside),
		factory.Autoscaling().V2().HorizontalPodAutoscalers(), factory.Core().V1().Pods(),
		seconds(syncPeriodSeconds), seconds(downscaleStabilisationSeconds), tolerance, cpuInitializationPeriod, initialReadinessDelay)
	p.pods = factory.Core().V1().Pods().Informer().GetIndexer()
	return p
}

// customMetric answers for one object, or for all pods that a selector selects.
func (p *plant) customMetric(action customfake.GetForAction) (bool, runtime.Object, error) {
	list, name := &custom.MetricValueList{}, action.GetMetricName()
	if action.GetName() != "*" {
		value, ok := p.in.Object[name]
		if !ok {
			return true, nil, errNoObjectMetric(name, &autoscalingv2.CrossVersionObjectReference{Kind: "Service", Name: action.GetName()})
		}
		list.Items = []custom.MetricValue{{Value: value}}
		return true, list, nil
	}
	for _, pod := range p.in.Pods {
		milli, ok := p.in.PodMetric[name][pod.Name]
		if ok && pod.Namespace == action.GetNamespace() && action.GetLabelSelector().Matches(podLabels(pod)) {
			list.Items = append(list.Items, custom.MetricValue{
				DescribedObject: corev1.ObjectReference{Name: pod.Name}, Value: *resource.NewMilliQuantity(milli, resource.DecimalSI),
			})
		}
	}
	return true, list, nil
}

// reconcile lets the real controller see the input and gives the replica count
// that the scale has afterwards. The pods and samples carry real times.
func (p *plant) reconcile(t *testing.T, in Input, samples []metricsapi.PodMetrics) int32 {
	t.Helper()
	pods := make([]any, len(in.Pods))
	for i, pod := range in.Pods {
		pods[i] = pod
	}
	if err := p.pods.Replace(pods, ""); err != nil {
		t.Fatal(err)
	}
	p.in, p.samples, p.status = in, samples, autoscalingv2.HorizontalPodAutoscalerStatus{}
	p.scale.Spec.Replicas, p.scale.Status.Replicas = in.SpecReplicas, in.StatusReplicas
	p.scale.Status.Selector = in.Selector.String()
	hpa := in.HPA.DeepCopy()
	// The error says again what the conditions say.
	_ = reconcileAutoscaler(p.controller, klog.NewContext(context.Background(), klog.Logger{}), hpa, hpa.Namespace+"/"+hpa.Name)
	if able, reason, message := p.condition(autoscalingv2.AbleToScale); able != corev1.ConditionTrue {
		t.Fatalf("the real controller cannot scale: %s: %s", reason, message)
	}
	return p.scale.Spec.Replicas
}

// condition gives status, reason and message as the controller wrote them.
func (p *plant) condition(kind autoscalingv2.HorizontalPodAutoscalerConditionType) (corev1.ConditionStatus, string, string) {
	for _, c := range p.status.Conditions {
		if c.Type == kind {
			return c.Status, c.Reason, c.Message
		}
	}
	return "", "", ""
}

// scales is the scale client.
type scales struct{ p *plant }

func (s scales) Scales(string) scale.ScaleInterface { return s }

func (s scales) Get(context.Context, schema.GroupResource, string, metav1.GetOptions) (*autoscalingv1.Scale, error) {
	return s.p.scale.DeepCopy(), nil
}

func (s scales) Update(_ context.Context, _ schema.GroupResource, scale *autoscalingv1.Scale, _ metav1.UpdateOptions) (*autoscalingv1.Scale, error) {
	s.p.scale.Spec.Replicas = scale.Spec.Replicas
	return scale, nil
}

func (s scales) Patch(context.Context, schema.GroupVersionResource, string, types.PatchType, []byte, metav1.PatchOptions) (*autoscalingv1.Scale, error) {
	return nil, fmt.Errorf("the controller does not patch")
}

func seconds(n int32) time.Duration { return time.Duration(n) * time.Second }

// samplesOf gives the samples of an input without times.
func samplesOf(in Input) []metricsapi.PodMetrics {
	var samples []metricsapi.PodMetrics
	for _, pod := range in.Pods {
		sample := metricsapi.PodMetrics{ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, Labels: pod.Labels}}
		for name, usage := range in.Usage[pod.Name].Containers {
			sample.Containers = append(sample.Containers, metricsapi.ContainerMetrics{Name: name, Usage: usage})
		}
		samples = append(samples, sample)
	}
	return samples
}

// advance moves the fake clock of the synctest bubble it is called in; nothing
// waits.
func advance(d time.Duration) { time.Sleep(d) }
