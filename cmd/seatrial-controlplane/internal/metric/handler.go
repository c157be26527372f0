package metric

import (
	"encoding/json"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	custom "k8s.io/metrics/pkg/apis/custom_metrics/v1beta2"
	external "k8s.io/metrics/pkg/apis/external_metrics/v1beta1"
	metrics "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

func listOptions(selector string) metav1.ListOptions {
	return metav1.ListOptions{LabelSelector: selector}
}

// handler serves the three APIs.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	for _, version := range versions {
		mux.HandleFunc("GET /apis/"+version.Group+"/"+version.Version, func(w http.ResponseWriter, _ *http.Request) {
			write(w, resources(version))
		})
	}
	const (
		resourceAPI = "GET /apis/metrics.k8s.io/v1beta1"
		customAPI   = "GET /apis/custom.metrics.k8s.io/v1beta2"
		externalAPI = "GET /apis/external.metrics.k8s.io/v1beta1"
	)
	mux.HandleFunc(resourceAPI+"/pods", s.podMetrics)
	mux.HandleFunc(resourceAPI+"/namespaces/{namespace}/pods", s.podMetrics)
	mux.HandleFunc(resourceAPI+"/namespaces/{namespace}/pods/{name}", s.podMetrics)
	mux.HandleFunc(customAPI+"/namespaces/{namespace}/{resource}/{name}/{metric}", s.customMetric)
	mux.HandleFunc(externalAPI+"/namespaces/{namespace}/{metric}", s.externalMetric)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, apierrors.NewNotFound(schema.GroupResource{}, r.URL.Path))
	})
	return mux
}

func (s *Server) podMetrics(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	pods, err := s.pods(r.Context(), r.PathValue("namespace"), name, r.URL.Query().Get("labelSelector"))
	if err != nil {
		fail(w, err)
		return
	}
	list := metrics.PodMetricsList{TypeMeta: typeMeta(metrics.SchemeGroupVersion, "PodMetricsList"), Items: []metrics.PodMetrics{}}
	for _, pod := range pods {
		used, known := s.resourcesOf(&pod)
		if !known {
			continue
		}
		item := metrics.PodMetrics{
			TypeMeta:   typeMeta(metrics.SchemeGroupVersion, "PodMetrics"),
			ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, Labels: pod.Labels},
			Timestamp:  metav1.NewTime(time.Now()), Window: metav1.Duration{Duration: window},
		}
		for _, container := range pod.Spec.Containers {
			item.Containers = append(item.Containers, metrics.ContainerMetrics{Name: container.Name, Usage: used})
		}
		list.Items = append(list.Items, item)
	}
	switch {
	case name == "":
		write(w, list)
	case len(list.Items) == 1:
		write(w, list.Items[0])
	default:
		fail(w, apierrors.NewNotFound(metrics.Resource("podmetrics"), name))
	}
}

func (s *Server) customMetric(w http.ResponseWriter, r *http.Request) {
	namespace, resource, name, metric := r.PathValue("namespace"), r.PathValue("resource"), r.PathValue("name"), r.PathValue("metric")
	list := custom.MetricValueList{TypeMeta: typeMeta(custom.SchemeGroupVersion, "MetricValueList"), Items: []custom.MetricValue{}}
	add := func(kind, name string, about func(usage) bool) {
		if value, known := s.value(metric, about); known {
			seconds := int64(window / time.Second)
			list.Items = append(list.Items, custom.MetricValue{
				DescribedObject: corev1.ObjectReference{Kind: kind, Namespace: namespace, Name: name},
				Metric:          custom.MetricIdentifier{Name: metric},
				Timestamp:       metav1.NewTime(time.Now()), WindowSeconds: &seconds, Value: value,
			})
		}
	}
	if resource == "pods" {
		pods, err := s.pods(r.Context(), namespace, name, r.URL.Query().Get("labelSelector"))
		if err != nil {
			fail(w, err)
			return
		}
		for _, pod := range pods {
			add("Pod", pod.Name, func(u usage) bool { return u.of(&pod) })
		}
	} else {
		add(resource, name, func(u usage) bool { return u.objectOf(namespace, resource, name) })
	}
	if len(list.Items) == 0 {
		fail(w, apierrors.NewNotFound(custom.Resource(resource), name+": metric "+metric))
		return
	}
	write(w, list)
}

func (s *Server) externalMetric(w http.ResponseWriter, r *http.Request) {
	namespace, metric := r.PathValue("namespace"), r.PathValue("metric")
	list := external.ExternalMetricValueList{TypeMeta: typeMeta(external.SchemeGroupVersion, "ExternalMetricValueList"), Items: []external.ExternalMetricValue{}}
	value, known := s.value(metric, func(u usage) bool {
		return u.External && (u.Namespace == "" || u.Namespace == namespace)
	})
	if known {
		list.Items = append(list.Items, external.ExternalMetricValue{
			MetricName: metric, MetricLabels: map[string]string{}, Timestamp: metav1.NewTime(time.Now()), Value: value,
		})
	}
	write(w, list)
}

func typeMeta(version schema.GroupVersion, kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: version.String(), Kind: kind}
}

func write(w http.ResponseWriter, answer any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // unless who asked is gone
}

// fail answers as an API server does.
func fail(w http.ResponseWriter, err error) {
	status := metav1.Status{Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Message: err.Error()}
	if api, ok := err.(apierrors.APIStatus); ok {
		status = api.Status()
	}
	status.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(int(status.Code))
	_ = json.NewEncoder(w).Encode(status) // unless who asked is gone
}
