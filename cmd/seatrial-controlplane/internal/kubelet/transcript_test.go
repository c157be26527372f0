package kubelet

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/datadriven"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/kubelet/rule"
)

// TestTranscripts plays what the files of testdata say, and compares every write
// of the kubelets, with its time.
//
//	rules                      replaces the rules by the input
//	node name [cpu=] [taint=]  adds a node
//	pod name node= [...]       creates a bound pod, see newPod
//	advance d                  lets time pass
//	delete name [grace=]       deletes a pod
//	gate name type status      sets a condition of a pod, as others do
//	hold | release | refuse    holds the writes of a pod; lets one pass; fails one
//	fail | heal                a node
//	claim name [bound]         creates a claim, or has it bound
//	configmap|secret name [keys]  creates one, or replaces its keys; remove deletes it
//	restart                    replaces the kubelets by new ones
//	status name                shows a pod's status
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.transcript")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".transcript"), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, Options{Lease: time.Hour, LeaseDuration: 4 * time.Hour, Heartbeat: 24 * time.Hour})
				datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
					w.do(t, d)
					return w.written()
				})
			})
		})
	}
}

func (w *world) do(t *testing.T, d *datadriven.TestData) {
	arg := func(i int) string { return d.CmdArgs[i].Key }
	switch d.Cmd {
	case "rules":
		rules, err := rule.Parse("rules", []byte(d.Input))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.kubelet.SetRules(rules); err != nil {
			t.Fatal(err)
		}
	case "node":
		if err := w.kubelet.AddNode(context.Background(), newNode(t, d)); err != nil {
			t.Fatal(err)
		}
	case "pod":
		w.create(newPod(t, d))
	case "advance":
		duration, err := time.ParseDuration(arg(0))
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(duration)
	case "delete":
		options := metav1.DeleteOptions{}
		if d.HasArg("grace") {
			var grace int64
			d.ScanArgs(t, "grace", &grace)
			options.GracePeriodSeconds = &grace
		}
		if err := w.client.CoreV1().Pods("ns").Delete(context.Background(), arg(0), options); err != nil {
			t.Fatal(err)
		}
	case "gate":
		w.setCondition(arg(0), corev1.PodConditionType(arg(1)), corev1.ConditionStatus(arg(2)))
	case "hold":
		w.store.mu.Lock()
		w.store.hold[arg(0)] = make(chan error)
		w.store.mu.Unlock()
	case "release":
		w.release(d, nil)
	case "refuse":
		w.release(d, errors.New("refused"))
	case "fail":
		w.kubelet.FailNode(arg(0))
	case "heal":
		w.kubelet.HealNode(arg(0))
	case "restart":
		w.begin(w.kubelet.options)
	case "status":
		text, err := yaml.Marshal(w.pod(arg(0)).Status)
		if err != nil {
			t.Fatal(err)
		}
		w.store.mu.Lock()
		w.store.log = append(w.store.log, string(text))
		w.store.mu.Unlock()
	case "claim":
		w.claim(arg(0), len(d.CmdArgs) > 1)
	case "configmap", "secret":
		w.source(d)
	case "idle":
		synctest.Wait()
		a := w.kubelet.Idle()
		due := "nothing is due"
		if !a.Next.IsZero() {
			due = "next after " + time.Until(a.Next).String()
		}
		w.store.note("%d writing, %s", a.Writing, due)
	default:
		t.Fatalf("%s: unknown command %q", d.Pos, d.Cmd)
	}
}

// release lets one held write pass, or fail.
func (w *world) release(d *datadriven.TestData, err error) {
	w.t.Helper()
	synctest.Wait()
	select {
	case w.store.hold[d.CmdArgs[0].Key] <- err:
	default:
		w.t.Fatalf("%s: no write of %s is held", d.Pos, d.CmdArgs[0].Key)
	}
}

func (w *world) claim(name string, bound bool) {
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
	claims, ctx := w.client.CoreV1().PersistentVolumeClaims("ns"), context.Background()
	var err error
	if bound {
		claim.Status.Phase = corev1.ClaimBound
		_, err = claims.UpdateStatus(ctx, claim, metav1.UpdateOptions{})
	} else {
		_, err = claims.Create(ctx, claim, metav1.CreateOptions{})
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) setCondition(name string, kind corev1.PodConditionType, status corev1.ConditionStatus) {
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		pod := w.pod(name)
		kept := pod.Status.Conditions[:0:0]
		for _, c := range pod.Status.Conditions {
			if c.Type != kind {
				kept = append(kept, c)
			}
		}
		pod.Status.Conditions = append(kept, corev1.PodCondition{Type: kind, Status: status})
		_, err := w.client.CoreV1().Pods("ns").UpdateStatus(context.Background(), pod, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func newNode(t *testing.T, d *datadriven.TestData) *corev1.Node {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: d.CmdArgs[0].Key}}
	for _, arg := range d.CmdArgs[1:] {
		switch value := strings.Join(arg.Vals, ","); arg.Key {
		case "cpu":
			node.Status.Allocatable = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(value)}
		case "taint":
			node.Spec.Taints = []corev1.Taint{{Key: value, Effect: corev1.TaintEffectNoExecute}}
		default:
			t.Fatalf("unknown argument %q of node", arg.Key)
		}
	}
	return node
}

// newPod makes a bound pod with one container main, by the arguments of the
// command.
func newPod(t *testing.T, d *datadriven.TestData) *corev1.Pod {
	grace, yes, always := int64(30), true, corev1.ContainerRestartPolicyAlways
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: d.CmdArgs[0].Key, Generation: 1}}
	s := &pod.Spec
	s.RestartPolicy, s.TerminationGracePeriodSeconds = corev1.RestartPolicyAlways, &grace
	s.Containers = []corev1.Container{{Name: "main", Image: "registry.example/main:1"}}
	for _, arg := range d.CmdArgs[1:] {
		value := strings.Join(arg.Vals, ",")
		switch arg.Key {
		case "node":
			s.NodeName = value
		case "restart":
			s.RestartPolicy = corev1.RestartPolicy(value)
		case "owner":
			kind, name, _ := strings.Cut(value, "/")
			pod.OwnerReferences = []metav1.OwnerReference{{Kind: kind, Name: name, Controller: &yes}}
		case "cpu":
			s.Containers[0].Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(value)}
		case "probe":
			s.Containers[0].ReadinessProbe = &corev1.Probe{}
		case "gates":
			for _, gate := range arg.Vals {
				s.ReadinessGates = append(s.ReadinessGates, corev1.PodReadinessGate{ConditionType: corev1.PodConditionType(gate)})
			}
		case "init":
			for _, name := range arg.Vals {
				s.InitContainers = append(s.InitContainers, corev1.Container{Name: name})
			}
		case "sidecar":
			s.InitContainers = append(s.InitContainers, corev1.Container{Name: value, RestartPolicy: &always})
		case "container":
			s.Containers = append(s.Containers, corev1.Container{Name: value, Image: value})
		case "deadline":
			var seconds int64
			if _, err := fmt.Sscan(value, &seconds); err != nil {
				t.Fatal(err)
			}
			s.ActiveDeadlineSeconds = &seconds
		case "finalizer":
			pod.Finalizers = []string{value}
		case "mounts", "env", "env-from":
			need(t, s, arg.Key, arg.Vals)
		case "claim":
			s.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: value},
			}}}
		default:
			t.Fatalf("unknown argument %q of pod", arg.Key)
		}
	}
	return pod
}

// source creates a ConfigMap or Secret, replaces its keys, or removes it.
func (w *world) source(d *datadriven.TestData) {
	name, ctx := d.CmdArgs[0].Key, context.Background()
	meta := metav1.ObjectMeta{Namespace: "ns", Name: name}
	configMap, secret := &corev1.ConfigMap{ObjectMeta: meta, Data: map[string]string{}}, &corev1.Secret{ObjectMeta: meta, Data: map[string][]byte{}}
	for _, key := range d.CmdArgs[1:] {
		configMap.Data[key.Key], secret.Data[key.Key] = "value", []byte("value")
	}
	configMaps, secrets := w.client.CoreV1().ConfigMaps("ns"), w.client.CoreV1().Secrets("ns")
	var err error
	switch {
	case d.HasArg("remove") && d.Cmd == "secret":
		err = secrets.Delete(ctx, name, metav1.DeleteOptions{})
	case d.HasArg("remove"):
		err = configMaps.Delete(ctx, name, metav1.DeleteOptions{})
	case d.Cmd == "secret":
		if _, err = secrets.Create(ctx, secret, metav1.CreateOptions{}); err != nil {
			_, err = secrets.Update(ctx, secret, metav1.UpdateOptions{})
		}
	default:
		if _, err = configMaps.Create(ctx, configMap, metav1.CreateOptions{}); err != nil {
			_, err = configMaps.Update(ctx, configMap, metav1.UpdateOptions{})
		}
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// need makes a pod need what a word names: configmap/name or secret/name, /key behind
// it, and ? at its end if the pod can do without.
func need(t *testing.T, s *corev1.PodSpec, how string, words []string) {
	for _, word := range words {
		word, optional := strings.CutSuffix(word, "?")
		parts := append(strings.Split(word, "/"), "")
		name, key, secret := corev1.LocalObjectReference{Name: parts[1]}, parts[2], parts[0] == "secret"
		var items []corev1.KeyToPath
		if key != "" {
			items = []corev1.KeyToPath{{Key: key, Path: key}}
		}
		c := &s.Containers[0]
		switch {
		case how == "mounts" && secret:
			s.Volumes = append(s.Volumes, corev1.Volume{Name: "v-" + parts[1], VolumeSource: corev1.VolumeSource{
				Secret: &corev1.SecretVolumeSource{SecretName: parts[1], Items: items, Optional: &optional},
			}})
		case how == "mounts" && parts[0] == "projected":
			s.Volumes = append(s.Volumes, corev1.Volume{Name: parts[2], VolumeSource: corev1.VolumeSource{
				Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: name}}}},
			}})
		case how == "mounts":
			s.Volumes = append(s.Volumes, corev1.Volume{Name: "v-" + parts[1], VolumeSource: corev1.VolumeSource{
				ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: name, Items: items, Optional: &optional},
			}})
		case how == "env-from" && secret:
			c.EnvFrom = append(c.EnvFrom, corev1.EnvFromSource{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: name, Optional: &optional}})
		case how == "env-from":
			c.EnvFrom = append(c.EnvFrom, corev1.EnvFromSource{ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: name, Optional: &optional}})
		case secret:
			c.Env = append(c.Env, corev1.EnvVar{Name: key, ValueFrom: &corev1.EnvVarSource{
				SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: name, Key: key, Optional: &optional},
			}})
		case parts[0] == "configmap":
			c.Env = append(c.Env, corev1.EnvVar{Name: key, ValueFrom: &corev1.EnvVarSource{
				ConfigMapKeyRef: &corev1.ConfigMapKeySelector{LocalObjectReference: name, Key: key, Optional: &optional},
			}})
		default:
			t.Fatalf("%s of %q: want configmap/name or secret/name", how, word)
		}
	}
}
