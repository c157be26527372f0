package trial

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/history"
)

// TestQuota: a ResourceQuota counts what there is, and refuses what is above it.
func TestQuota(t *testing.T) {
	p := controlplane.Start(t)
	client := clientOf(t, p.Kubeconfig)
	quota := &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Name: "two"},
		Spec:       corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{corev1.ResourcePods: resource.MustParse("2")}},
	}
	if _, err := client.CoreV1().ResourceQuotas("default").Create(t.Context(), quota, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	await(t, p, "the quota to be counted", func(e history.Event) bool {
		status, _ := e.Object["status"].(map[string]any)
		used, _ := status["used"].(map[string]any)
		return e.Resource == "resourcequotas" && used["pods"] == "0"
	})
	for _, name := range []string{"a", "b", "c"} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: podSpec()}
		_, err := client.CoreV1().Pods("default").Create(t.Context(), pod, metav1.CreateOptions{})
		if name != "c" && err != nil {
			t.Fatal(err)
		}
		if name == "c" && (!apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "exceeded quota: two")) {
			t.Errorf("the third pod: %v", err)
		}
	}
}

// TestWebhook: the API server asks an admission webhook of the test's own.
func TestWebhook(t *testing.T) {
	asked := make(chan string, 10)
	hook := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		asked <- review.Request.Name
		review.Response = &admissionv1.AdmissionResponse{
			UID: review.Request.UID, Allowed: review.Request.Name != "bad", Result: &metav1.Status{Message: "we want no bad ones"},
		}
		_ = json.NewEncoder(w).Encode(review)
	}))
	t.Cleanup(hook.Close)
	p := controlplane.Start(t)
	client := clientOf(t, p.Kubeconfig)
	none, fail := admissionregistrationv1.SideEffectClassNone, admissionregistrationv1.Fail
	configuration := &admissionregistrationv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "trial"},
		Webhooks: []admissionregistrationv1.ValidatingWebhook{{
			Name: "bad.example.com", SideEffects: &none, FailurePolicy: &fail, AdmissionReviewVersions: []string{"v1"},
			ClientConfig: admissionregistrationv1.WebhookClientConfig{
				URL:      &hook.URL,
				CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: hook.Certificate().Raw}),
			},
			Rules: []admissionregistrationv1.RuleWithOperations{{
				Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create},
				Rule:       admissionregistrationv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"configmaps"}},
			}},
		}},
	}
	if _, err := client.AdmissionregistrationV1().ValidatingWebhookConfigurations().Create(t.Context(), configuration, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	// The API server hears of the webhook a moment later.
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for len(asked) == 0 && ctx.Err() == nil {
		first := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "first-"}}
		if _, err := client.CoreV1().ConfigMaps("default").Create(ctx, first, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	good, bad := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "good"}}, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "bad"}}
	if _, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), good, metav1.CreateOptions{}); err != nil {
		t.Error(err)
	}
	if _, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), bad, metav1.CreateOptions{}); err == nil || !strings.Contains(err.Error(), "we want no bad ones") {
		t.Errorf("the bad one: %v", err)
	}
}
