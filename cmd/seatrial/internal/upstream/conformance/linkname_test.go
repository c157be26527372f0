package conformance

import (
	"context"
	"flag"
	"os"
	"testing"
	"time"
	_ "unsafe" // for linkname

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apiserver/pkg/registry/rest"
	policytyped "k8s.io/client-go/kubernetes/typed/policy/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/disruption"
	"k8s.io/kubernetes/pkg/controller/nodelifecycle"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/tainteviction"
	podstorage "k8s.io/kubernetes/pkg/registry/core/pod/storage"
)

var inputs = flag.Int("inputs", 10_000, "random inputs of each oracle")

func TestMain(m *testing.M) {
	flag.Parse()
	klog.SetLogger(klog.Logger{}) // which writes nothing
	os.Exit(m.Run())
}

//go:linkname syncDeployment k8s.io/kubernetes/pkg/controller/deployment.(*DeploymentController).syncDeployment
func syncDeployment(dc *deployment.DeploymentController, ctx context.Context, key string) error

//go:linkname deploymentStatus k8s.io/kubernetes/pkg/controller/deployment.calculateStatus
func deploymentStatus(all []*appsv1.ReplicaSet, fresh *appsv1.ReplicaSet, d *appsv1.Deployment) appsv1.DeploymentStatus

//go:linkname syncReplicaSet k8s.io/kubernetes/pkg/controller/replicaset.(*ReplicaSetController).syncReplicaSet
func syncReplicaSet(rsc *replicaset.ReplicaSetController, ctx context.Context, key string) error

//go:linkname getPodsToDelete k8s.io/kubernetes/pkg/controller/replicaset.getPodsToDelete
func getPodsToDelete(pods, related []*corev1.Pod, n int) []*corev1.Pod

//go:linkname syncBudget k8s.io/kubernetes/pkg/controller/disruption.(*DisruptionController).sync
func syncBudget(dc *disruption.DisruptionController, ctx context.Context, key string) error

//go:linkname newEvictionStorage k8s.io/kubernetes/pkg/registry/core/pod/storage.newEvictionStorage
func newEvictionStorage(store rest.StandardStorage, client policytyped.PodDisruptionBudgetsGetter) *podstorage.EvictionREST

//go:linkname handleNodeUpdate k8s.io/kubernetes/pkg/controller/tainteviction.(*Controller).handleNodeUpdate
func handleNodeUpdate(tc *tainteviction.Controller, ctx context.Context, item struct{ nodeName string })

//go:linkname doNoScheduleTaintingPass k8s.io/kubernetes/pkg/controller/nodelifecycle.(*Controller).doNoScheduleTaintingPass
func doNoScheduleTaintingPass(nc *nodelifecycle.Controller, ctx context.Context, name string) error

//go:linkname addPodEvictorForNewZone k8s.io/kubernetes/pkg/controller/nodelifecycle.(*Controller).addPodEvictorForNewZone
func addPodEvictorForNewZone(nc *nodelifecycle.Controller, logger klog.Logger, node *corev1.Node)

//go:linkname processTaintBaseEviction k8s.io/kubernetes/pkg/controller/nodelifecycle.(*Controller).processTaintBaseEviction
func processTaintBaseEviction(nc *nodelifecycle.Controller, ctx context.Context, node *corev1.Node, ready *corev1.NodeCondition)

//go:linkname doNoExecuteTaintingPass k8s.io/kubernetes/pkg/controller/nodelifecycle.(*Controller).doNoExecuteTaintingPass
func doNoExecuteTaintingPass(nc *nodelifecycle.Controller, ctx context.Context)

//go:linkname handleDisruption k8s.io/kubernetes/pkg/controller/nodelifecycle.(*Controller).handleDisruption
func handleDisruption(nc *nodelifecycle.Controller, ctx context.Context, conditions map[string][]*corev1.NodeCondition, nodes []*corev1.Node)

// long is a period that no test waits for.
const long = 24 * time.Hour
