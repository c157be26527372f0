package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/finding"
)

// resources are where the test creates objects of a kind.
var resources = map[string]schema.GroupVersionResource{
	"Deployment":              {Group: "apps", Version: "v1", Resource: "deployments"},
	"HorizontalPodAutoscaler": {Group: "autoscaling", Version: "v2", Resource: "horizontalpodautoscalers"},
	"PodDisruptionBudget":     {Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"},
	"Node":                    {Version: "v1", Resource: "nodes"},
	"PriorityClass":           {Group: "scheduling.k8s.io", Version: "v1", Resource: "priorityclasses"},
	"ConfigMap":               {Version: "v1", Resource: "configmaps"},
	"ClusterRole":             {Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"},
}

var clusterWide = map[string]bool{"Node": true, "PriorityClass": true, "ClusterRole": true}

// target is a control plane and who uses it.
type target struct {
	*controlplane.Plane
	config *rest.Config
	client kubernetes.Interface
	users  int
}

// planeWith starts a plane and creates manifests in it. What is a component's configuration is put into a ConfigMap,
// where people have it.
func planeWith(t *testing.T, manifests string, configure ...func(*controlplane.Options)) *target {
	t.Helper()
	var objects []*unstructured.Unstructured
	for _, document := range regexp.MustCompile(`(?m)^---$`).Split(manifests, -1) {
		var fields map[string]any
		raw, err := sigsyaml.YAMLToJSON([]byte(document))
		if err == nil {
			err = json.Unmarshal(raw, &fields)
		}
		if err != nil {
			t.Fatal(err)
		}
		switch o := (&unstructured.Unstructured{Object: fields}); o.GetKind() {
		case "":
		case "DeschedulerPolicy", "KubeSchedulerConfiguration":
			objects = append(objects, &unstructured.Unstructured{Object: map[string]any{
				"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": strings.ToLower(o.GetKind()), "namespace": "kube-system"},
				"data": map[string]any{"config.yaml": document},
			}})
		default:
			objects = append(objects, o)
		}
	}
	path := planeExecutable(t)
	plane := controlplane.Start(t, append(configure, func(o *controlplane.Options) { o.Path = path })...)
	config, err := clientcmd.BuildConfigFromFlags("", plane.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range objects {
		namespace := o.GetNamespace()
		if namespace == "" && !clusterWide[o.GetKind()] {
			namespace = "default"
		}
		made, err := client.Resource(resources[o.GetKind()]).Namespace(namespace).Create(t.Context(), o, metav1.CreateOptions{})
		if err == nil && o.GetKind() == "Node" {
			// A new node is tainted until it is ready, and nobody is there to say so.
			taints, _, _ := unstructured.NestedFieldCopy(o.Object, "spec", "taints")
			if err = unstructured.SetNestedField(made.Object, taints, "spec", "taints"); err == nil {
				_, err = client.Resource(resources["Node"]).Update(t.Context(), made, metav1.UpdateOptions{})
			}
		}
		if err != nil {
			t.Fatalf("%s %s: %v", o.GetKind(), o.GetName(), err)
		}
	}
	return &target{Plane: plane, config: config, client: kubernetes.NewForConfigOrDie(config)}
}

// planeExecutable is the control plane that make builds, or one that is built here.
func planeExecutable(t *testing.T) string {
	t.Helper()
	for _, v := range newShell(t).variables {
		if path, ok := strings.CutPrefix(v, controlplane.Executable+"="); ok {
			return path
		}
	}
	t.Fatal("no control plane")
	return ""
}

// idle leaves out all who would act: the cluster stays as it was written.
func idle(o *controlplane.Options) { o.Spec.Controllers = []string{"-*"} }

// checked runs a check with -o json.
func checked(t *testing.T, arguments ...string) (finding.Report, string, int) {
	t.Helper()
	streams, out, said := iostreams.Test("", iostreams.Terminal{Env: map[string]string{"SEATRIAL_SAVE": "false"}})
	code := cli.Main(append([]string{"seatrial", "check", "-o", "json"}, arguments...), streams, trials())
	var r finding.Report
	if out.Len() > 0 {
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	return r, said.String(), code
}

// outcomes are the verdicts of a report, each with what it is about.
func outcomes(r finding.Report) []string {
	out := []string{string(r.Verdict)}
	for _, one := range r.Results {
		out = append(out, fmt.Sprintf("%s %s: %s %s", one.Rule, one.Subject, one.Verdict, one.Message))
	}
	return out
}

// TestTheVerdictIsTheSameLive writes cases into a cluster in which nobody acts, and
// reads them from there.
func TestTheVerdictIsTheSameLive(t *testing.T) {
	for _, name := range []string{"kivi-c5/bad", "kivi-c5/good", "c4/bad", "e4/bad", "j2/bad"} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join("../../examples/cases", name)
			files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			var manifests bytes.Buffer
			assumed := ""
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if filepath.Base(file) == "scenario.yaml" {
					assumed = file
					continue
				}
				manifests.WriteString("---\n")
				manifests.Write(text)
			}
			c := planeWith(t, manifests.String(), idle)
			want, said, wanted := checked(t, folder)
			if want.Verdict == "" {
				t.Fatal(said)
			}
			before := len(c.History())
			got, said, code := checked(t, "--kubeconfig", c.Kubeconfig, assumed)
			if diff := cmp.Diff(outcomes(want), outcomes(got)); diff != "" || code != wanted {
				t.Errorf("exit code %d, want %d; another verdict (-files +live):\n%s%s", code, wanted, diff, said)
			}
			for _, one := range got.Results {
				for _, cause := range one.Causes {
					if at := cause.Location; at.File != assumed && (at.File != "<live, context seatrial>" || at.Object == "" || at.Line == 0) {
						t.Errorf("a cause is at %+v", at)
					}
				}
			}
			for _, e := range c.History()[before:] {
				if e.Resource == "leases.coordination.k8s.io" && strings.HasPrefix(e.Name, "apiserver-") {
					continue // the API server's own, which it makes and renews when it likes
				}
				t.Errorf("the check has written %s %s/%s", e.Resource, e.Namespace, e.Name)
			}
		})
	}
}

const running = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: c, image: "web:1", resources: {requests: {cpu: 100m}}}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: default}
spec:
  minAvailable: 1
  selector: {matchLabels: {app: web}}
`

// TestARunningClusterIsCheckedByWhoMayOnlyRead has real controllers run a Deployment,
// and a user with the rights that docs/input.md says check it.
func TestARunningClusterIsCheckedByWhoMayOnlyRead(t *testing.T) {
	page, err := os.ReadFile("../../docs/input.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?ms)^```yaml\n(apiVersion: rbac.*?)^```$").FindSubmatch(page)
	if block == nil {
		t.Fatal("docs/input.md does not say which rights are needed")
	}
	c := planeWith(t, running+"---\n"+string(block[1]))
	c.available(t, "web")
	all := c.userWith(t, "seatrial")
	r, said, code := checked(t, "--kubeconfig", all, "--context", "reader", "--event=none")
	if r.Verdict != finding.Holds || code != 0 {
		t.Errorf("exit code %d, verdict %s (%s)\n%s", code, r.Verdict, r.Reason, said)
	}
	if want := "seatrial check --event=none --kubeconfig=" + all + " --context=reader --namespace=default"; r.Command != want {
		t.Errorf("the run is repeated by %s", r.Command)
	}
	if token := tokenOf(t, all); strings.Contains(fmt.Sprint(r), token) || strings.Contains(said, token) {
		t.Error("the token is in the report")
	}

	// One that may see less is told so, and gets no verdict by it.
	less := strings.Replace(string(block[1]), "poddisruptionbudgets", "podsecuritypolicies", 1)
	less = strings.Replace(less, "name: seatrial", "name: less", 1)
	c.create(t, less)
	r, said, code = checked(t, "--kubeconfig", c.userWith(t, "less"), "--event=none")
	if r.Verdict != finding.Inconclusive || code != 3 || !strings.Contains(said, "PodDisruptionBudget is not taken into account: may not be read") {
		t.Errorf("without budgets: exit code %d, verdict %s (%s)\n%s", code, r.Verdict, r.Reason, said)
	}
	r, said, code = checked(t, "--kubeconfig", c.userWith(t, "less"), "--event=none", "--accept=PodDisruptionBudget")
	if r.Verdict != finding.Holds || code != 0 {
		t.Errorf("with budgets accepted: exit code %d, verdict %s (%s)\n%s", code, r.Verdict, r.Reason, said)
	}
	// The role "view" of every cluster has no nodes.
	_, said, code = checked(t, "--kubeconfig", c.userWith(t, "view"))
	if code != 2 || !strings.HasPrefix(said, "seatrial: context reader: nodes may not be read, and nothing can be checked without") {
		t.Errorf("with the role view: exit code %d\n%s", code, said)
	}
}

// TestAClusterThatIsGoneIsNoInputError reads one that was there.
func TestAClusterThatIsGoneIsNoInputError(t *testing.T) {
	p, err := controlplane.Launch(t.Context(), controlplane.Options{Path: planeExecutable(t)})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(p.Ready.Plane.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Stop(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	_, said, code := checked(t, "--kubeconfig", file)
	if code != 4 || !strings.HasPrefix(said, "seatrial: context seatrial: read nodes: ") {
		t.Errorf("exit code %d\n%s", code, said)
	}
}

// available waits until a Deployment has its pods.
func (c *target) available(t *testing.T, name string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	w, err := c.client.AppsV1().Deployments("default").Watch(ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + name})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	for event := range w.ResultChan() {
		raw, err := json.Marshal(event.Object)
		if err != nil {
			t.Fatal(err)
		}
		var d struct {
			Spec   struct{ Replicas int }
			Status struct{ AvailableReplicas int }
		}
		if json.Unmarshal(raw, &d) == nil && d.Spec.Replicas == d.Status.AvailableReplicas {
			return
		}
	}
	t.Fatalf("Deployment %s does not get its pods", name)
}

// create creates a ClusterRole.
func (c *target) create(t *testing.T, role string) {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := sigsyaml.Unmarshal([]byte(role), &o.Object); err != nil {
		t.Fatal(err)
	}
	if _, err := dynamic.NewForConfigOrDie(c.config).Resource(resources["ClusterRole"]).Create(t.Context(), o, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// userWith returns the kubeconfig of a user with a ClusterRole.
func (c *target) userWith(t *testing.T, role string) string {
	t.Helper()
	c.users++
	name := fmt.Sprintf("%s-%d", role, c.users)
	if _, err := c.client.CoreV1().ServiceAccounts("kube-system").Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	binding := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": map[string]any{"name": name},
		"roleRef":  map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role},
		"subjects": []any{map[string]any{"kind": "ServiceAccount", "name": name, "namespace": "kube-system"}},
	}}
	bindings := schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterrolebindings"}
	if _, err := dynamic.NewForConfigOrDie(c.config).Resource(bindings).Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	token, err := c.client.CoreV1().ServiceAccounts("kube-system").CreateToken(t.Context(), name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(clientcmdapi.Config{
		Clusters:       map[string]*clientcmdapi.Cluster{"c": {Server: c.config.Host, CertificateAuthorityData: c.config.CAData, CertificateAuthority: c.config.CAFile}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{"u": {Token: token.Status.Token}},
		Contexts:       map[string]*clientcmdapi.Context{"reader": {Cluster: "c", AuthInfo: "u"}},
		CurrentContext: "reader",
	}, file); err != nil {
		t.Fatal(err)
	}
	return file
}

func tokenOf(t *testing.T, file string) string {
	t.Helper()
	config, err := clientcmd.LoadFromFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return config.AuthInfos["u"].Token
}
