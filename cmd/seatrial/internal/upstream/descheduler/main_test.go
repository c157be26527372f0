package descheduler_test

import (
	"fmt"
	"os"
	"runtime/debug"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
)

// TestMain silences klog: the real code reports every refused eviction there.
// Garbage may grow to four times what is in use, which is little: the oracle
// spends a third less.
func TestMain(m *testing.M) {
	klog.SetLogger(klog.Logger{})
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// epoch is when all test objects were created: far enough in the past for
// every age threshold used in tests.
var epoch = metav1.NewTime(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))

func node(name string, milliCPU, memoryGi int64, labels map[string]string) *corev1.Node {
	all := map[string]string{corev1.LabelHostname: name}
	for key, value := range labels {
		all[key] = value
	}
	allocatable := corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewMilliQuantity(milliCPU, resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(memoryGi<<30, resource.BinarySI),
		corev1.ResourcePods:   *resource.NewQuantity(110, resource.DecimalSI),
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: all},
		Status: corev1.NodeStatus{
			Allocatable: allocatable, Capacity: allocatable,
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		},
	}
}

func pod(app string, number int, onNode string, milliCPU, memoryMi int64) *corev1.Pod {
	name := fmt.Sprintf("%s-%d", app, number)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Namespace: "default", UID: types.UID("uid-" + name), CreationTimestamp: epoch,
			Labels:          map[string]string{"app": app},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: app, UID: types.UID("rs-" + app)}},
		},
		Spec: corev1.PodSpec{
			NodeName: onNode,
			Containers: []corev1.Container{{Name: "c", Image: app + ":1", Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{
					corev1.ResourceCPU:    *resource.NewMilliQuantity(milliCPU, resource.DecimalSI),
					corev1.ResourceMemory: *resource.NewQuantity(memoryMi<<20, resource.BinarySI),
				},
			}}},
		},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, StartTime: &epoch},
	}
}

// place makes count pods of the app on each node, in the order given.
func place(app string, milliCPU, memoryMi int64, counts ...any) []*corev1.Pod {
	var pods []*corev1.Pod
	for i := 0; i < len(counts); i += 2 {
		for range counts[i+1].(int) {
			pods = append(pods, pod(app, len(pods), counts[i].(string), milliCPU, memoryMi))
		}
	}
	return pods
}
