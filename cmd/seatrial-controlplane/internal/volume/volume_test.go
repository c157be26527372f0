package volume

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/datadriven"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	storagehelpers "k8s.io/component-helpers/storage/volume"
	"k8s.io/utils/clock"
)

// TestTranscript plays testdata/volumes.transcript in a bubble whose time moves
// only by advance, and compares every write of the provisioner.
//
//	node name [zone=]
//	class name [mode=Wait] [zones=(..)] [expand] [retain] [provisioner=]
//	claim name class= size= [node=]   creates a claim that the volume controller
//	                                  has asked an external provisioner for
//	bind | release claim              what the volume controller does
//	select claim node=                what the scheduler does
//	resize claim size=
//	refuse verb                       fails the next write of that verb
//	advance d
func TestTranscript(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{Delay: time.Second, Provisioners: []string{"disk.example", "other.example"}})
		datadriven.RunTest(t, "testdata/volumes.transcript", func(t *testing.T, d *datadriven.TestData) string {
			if err := w.do(d); err != nil {
				t.Fatalf("%s: %v", d.Pos, err)
			}
			return w.written()
		})
	})
}

func TestEveryClassIsServedUnlessSomeAreListed(t *testing.T) {
	if v := (&Volumes{}); !v.served("any") || v.served("") {
		t.Error("without a list")
	}
	if v := (&Volumes{options: Options{Provisioners: []string{"one"}}}); !v.served("one") || v.served("two") {
		t.Error("with a list")
	}
}

type world struct {
	client *fake.Clientset
	start  time.Time

	mu     sync.Mutex
	log    []string
	refuse string
}

func newWorld(t *testing.T, options Options) *world {
	w := &world{client: fake.NewSimpleClientset(), start: time.Now()}
	w.client.PrependReactor("*", "*", w.note)
	factory := informers.NewSharedInformerFactory(w.client, 0)
	v, err := New(w.client, factory, clock.RealClock{}, options)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	factory.StartWithContext(ctx)
	synctest.Wait()
	ended := make(chan struct{})
	go func() { v.Run(ctx); close(ended) }()
	t.Cleanup(func() {
		cancel()
		<-ended
		factory.Shutdown()
	})
	return w
}

// note writes down what the provisioner does; what the test does has other verbs.
func (w *world) note(action clienttesting.Action) (bool, runtime.Object, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := fmt.Sprintf("%4s  ", time.Since(w.start))
	line := ""
	switch a := action.(type) {
	case clienttesting.CreateActionImpl:
		if pv, ok := a.Object.(*corev1.PersistentVolume); ok {
			size := pv.Spec.Capacity[corev1.ResourceStorage]
			line = fmt.Sprintf("create %s %s for %s, %s, %s", pv.Name, size.String(), pv.Spec.ClaimRef.Name, pv.Spec.PersistentVolumeReclaimPolicy, where(pv))
		}
	case clienttesting.PatchActionImpl:
		line = fmt.Sprintf("patch %s %s %s", a.Resource.Resource, a.Subresource, a.Patch)
	case clienttesting.DeleteActionImpl:
		line = "delete " + a.Name
	}
	if line == "" {
		return false, nil, nil
	}
	if w.refuse == action.GetVerb() {
		w.refuse = ""
		w.log = append(w.log, at+"refused: "+line)
		return true, nil, errors.New("refused")
	}
	w.log = append(w.log, at+line)
	return false, nil, nil
}

func where(pv *corev1.PersistentVolume) string {
	if pv.Spec.NodeAffinity == nil {
		return "anywhere"
	}
	e := pv.Spec.NodeAffinity.Required.NodeSelectorTerms[0].MatchExpressions[0]
	return e.Key + "=" + strings.Join(e.Values, ",")
}

func (w *world) written() string {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	out := strings.Join(w.log, "\n")
	w.log = nil
	return out
}

func (w *world) do(d *datadriven.TestData) error {
	name := d.CmdArgs[0].Key
	args := map[string][]string{}
	for _, arg := range d.CmdArgs[1:] {
		args[arg.Key] = append([]string{}, arg.Vals...)
	}
	ctx := context.Background()
	core := w.client.CoreV1()
	switch d.Cmd {
	case "advance":
		duration, err := time.ParseDuration(name)
		time.Sleep(duration)
		return err
	case "refuse":
		w.mu.Lock()
		defer w.mu.Unlock()
		w.refuse = name
		return nil
	case "node":
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
		if zone := args["zone"]; zone != nil {
			node.Labels = map[string]string{corev1.LabelTopologyZone: zone[0]}
		}
		_, err := core.Nodes().Create(ctx, node, metav1.CreateOptions{})
		return err
	case "class":
		_, err := w.client.StorageV1().StorageClasses().Create(ctx, newClass(name, args), metav1.CreateOptions{})
		return err
	case "claim":
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{
			Namespace: "ns", Name: name, UID: types.UID(name), Annotations: map[string]string{storagehelpers.AnnStorageProvisioner: args["provisioner"][0]},
		}}
		claim.Spec.StorageClassName = &args["class"][0]
		claim.Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(args["size"][0])}
		_, err := core.PersistentVolumeClaims("ns").Create(ctx, claim, metav1.CreateOptions{})
		return err
	case "release":
		pv, err := core.PersistentVolumes().Get(ctx, "pvc-"+name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		pv.Status.Phase = corev1.VolumeReleased
		_, err = core.PersistentVolumes().UpdateStatus(ctx, pv, metav1.UpdateOptions{})
		return err
	}
	claim, err := core.PersistentVolumeClaims("ns").Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	switch d.Cmd {
	case "bind":
		claim.Spec.VolumeName, claim.Status.Phase = "pvc-"+name, corev1.ClaimBound
		claim.Status.Capacity = claim.Spec.Resources.Requests.DeepCopy()
	case "select":
		claim.Annotations[storagehelpers.AnnSelectedNode] = args["node"][0]
	case "resize":
		claim.Spec.Resources.Requests[corev1.ResourceStorage] = resource.MustParse(args["size"][0])
	default:
		return fmt.Errorf("unknown command %q", d.Cmd)
	}
	_, err = core.PersistentVolumeClaims("ns").Update(ctx, claim, metav1.UpdateOptions{})
	return err
}

func newClass(name string, args map[string][]string) *storagev1.StorageClass {
	class := &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Provisioner: "disk.example"}
	wait, retain, yes := storagev1.VolumeBindingWaitForFirstConsumer, corev1.PersistentVolumeReclaimRetain, true
	if args["mode"] != nil {
		class.VolumeBindingMode = &wait
	}
	if _, ok := args["retain"]; ok {
		class.ReclaimPolicy = &retain
	}
	if _, ok := args["expand"]; ok {
		class.AllowVolumeExpansion = &yes
	}
	if zones := args["zones"]; zones != nil {
		class.AllowedTopologies = []corev1.TopologySelectorTerm{{MatchLabelExpressions: []corev1.TopologySelectorLabelRequirement{
			{Key: corev1.LabelTopologyZone, Values: zones},
		}}}
	}
	return class
}

// TestDriver: a provisioner may have a name that no CSI driver may have, and the volume is
// refused then.
func TestDriver(t *testing.T) {
	for provisioner, want := range map[string]string{"disk.example": "disk.example", "rancher.io/local-path": "rancher.io.local-path", "a.io/B": "a.io.b"} {
		if got := driver(provisioner); got != want || len(validation.IsDNS1123Subdomain(got)) > 0 {
			t.Errorf("%s: %s, want %s", provisioner, got, want)
		}
	}
}
