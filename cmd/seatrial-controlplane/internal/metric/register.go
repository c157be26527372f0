package metric

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	aggregation "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	aggregator "k8s.io/kube-aggregator/pkg/client/clientset_generated/clientset"
)

// versions are the APIs that are served.
var versions = []schema.GroupVersion{
	{Group: "metrics.k8s.io", Version: "v1beta1"},
	{Group: "custom.metrics.k8s.io", Version: "v1beta2"},
	{Group: "external.metrics.k8s.io", Version: "v1beta1"},
}

// resources is the discovery document of one API.
func resources(version schema.GroupVersion) metav1.APIResourceList {
	list := metav1.APIResourceList{
		TypeMeta:     metav1.TypeMeta{APIVersion: "v1", Kind: "APIResourceList"},
		GroupVersion: version.String(), APIResources: []metav1.APIResource{},
	}
	if version.Group == "metrics.k8s.io" {
		list.APIResources = append(list.APIResources, metav1.APIResource{
			Name: "pods", Kind: "PodMetrics", Namespaced: true, Verbs: metav1.Verbs{"get", "list"},
		})
	}
	return list
}

const (
	serviceName      = "seatrial-metrics"
	serviceNamespace = metav1.NamespaceSystem
	priority         = 100
)

// Register makes the aggregator send the metrics APIs here, by a Service that is
// another name of this host.
func (s *Server) Register(ctx context.Context, config *rest.Config) error {
	port := int32(s.Port())
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: serviceName, Namespace: serviceNamespace},
		Spec: corev1.ServiceSpec{
			Type: corev1.ServiceTypeExternalName, ExternalName: "localhost",
			Ports: []corev1.ServicePort{{Port: port}},
		},
	}
	if _, err := s.client.CoreV1().Services(serviceNamespace).Create(ctx, service, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("register metrics: %w", err)
	}
	client, err := aggregator.NewForConfig(config)
	if err != nil {
		return err
	}
	for _, version := range versions {
		object := &aggregation.APIService{
			ObjectMeta: metav1.ObjectMeta{Name: version.Version + "." + version.Group},
			Spec: aggregation.APIServiceSpec{
				Group: version.Group, Version: version.Version,
				GroupPriorityMinimum: priority, VersionPriority: priority, InsecureSkipTLSVerify: true,
				Service: &aggregation.ServiceReference{Namespace: serviceNamespace, Name: serviceName, Port: &port},
			},
		}
		if _, err := client.ApiregistrationV1().APIServices().Create(ctx, object, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("register metrics: %w", err)
		}
	}
	return waitAvailable(ctx, client)
}

// waitAvailable waits until the aggregator has reached every API once.
func waitAvailable(ctx context.Context, client aggregator.Interface) error {
	const every, after = 5 * time.Millisecond, 20 * time.Second
	waiting := ""
	err := wait.PollUntilContextTimeout(ctx, every, after, true, func(ctx context.Context) (bool, error) {
		for _, version := range versions {
			waiting = version.Version + "." + version.Group
			object, err := client.ApiregistrationV1().APIServices().Get(ctx, waiting, metav1.GetOptions{})
			if apierrors.IsNotFound(err) {
				return false, nil
			} else if err != nil {
				return false, err
			}
			if !available(object) {
				return false, nil
			}
		}
		return true, nil
	})
	if err != nil {
		return fmt.Errorf("wait for %s: %w", waiting, err)
	}
	return nil
}

func available(object *aggregation.APIService) bool {
	for _, condition := range object.Status.Conditions {
		if condition.Type == aggregation.Available {
			return condition.Status == aggregation.ConditionTrue
		}
	}
	return false
}
