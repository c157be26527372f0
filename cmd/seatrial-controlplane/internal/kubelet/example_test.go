package kubelet

import (
	"context"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/kubelet/rule"
)

// TestDocumentedExample plays the example of docs/kubelet-rules.md, and compares
// what is written with what it says.
func TestDocumentedExample(t *testing.T) {
	document, err := os.ReadFile("../../../../docs/kubelet-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(kind string) string {
		_, rest, begins := strings.Cut(string(document), "```"+kind+"\n")
		text, _, ends := strings.Cut(rest, "```")
		if !begins || !ends {
			t.Fatalf("no %s in the document", kind)
		}
		return text
	}
	rules, err := rule.Parse("kubelet-rules.md", []byte(block("yaml")))
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{Rules: rules})
		w.addNodes(DefaultNodes(1)...)
		for _, p := range []struct{ name, owner, image string }{
			{"web", "ReplicaSet/web-5d8f", "near.example/web"}, {"job", "Job/migrate", "near.example/job"}, {"tool", "", "far.example/tool"},
		} {
			yes, grace := true, int64(30)
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: p.name}}
			pod.Spec.NodeName, pod.Spec.RestartPolicy = "node-1", corev1.RestartPolicyAlways
			pod.Spec.TerminationGracePeriodSeconds = &grace
			pod.Spec.Containers = []corev1.Container{{Name: "main", Image: p.image}}
			if kind, name, owned := strings.Cut(p.owner, "/"); owned {
				pod.OwnerReferences = []metav1.OwnerReference{{Kind: kind, Name: name, Controller: &yes}}
			}
			switch p.name {
			case "web":
				pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "cache", Image: "near.example/cache"})
			case "job":
				pod.Spec.RestartPolicy = corev1.RestartPolicyNever
			}
			w.create(pod)
		}
		time.Sleep(30 * time.Second)
		if err := w.client.CoreV1().Pods("ns").Delete(context.Background(), "web", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		got := w.advance(time.Minute) + "\n"
		if want := block("text"); got != want {
			t.Errorf("the document says\n%sand this is written:\n%s", want, got)
		}
	})
}
