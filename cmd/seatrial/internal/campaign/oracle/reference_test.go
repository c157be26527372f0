package oracle_test

import "testing"

// TestReference: what an object names is there, unless it never was, or the resource says the name.
func TestReference(t *testing.T) {
	const (
		web     = "{kind: Service, metadata: {name: a, labels: {app: a}}, spec: {selector: {app: a}, ports: [{name: web, port: 80, targetPort: web}]}}\n"
		http    = "{kind: Service, metadata: {name: a, labels: {app: a}}, spec: {selector: {app: a}, ports: [{name: http, port: 81, targetPort: http}]}}\n"
		other   = "{kind: Service, metadata: {name: b, labels: {app: a}}, spec: {selector: {app: a}, ports: [{name: web, port: 80, targetPort: web}]}}\n"
		ingress = "{kind: Ingress, metadata: {name: a}, spec: {rules: [{http: {paths: [{backend: {service: {name: a, port: {name: web}}}}]}}]}}\n"
		byPort  = "{kind: Ingress, metadata: {name: a}, spec: {defaultBackend: {service: {name: a, port: {number: 80}}}}}\n"
		monitor = "{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, metadata: {name: a}, spec: {selector: {matchLabels: {app: a}}, endpoints: [{port: web}]}}\n"
		scaler  = "{kind: HorizontalPodAutoscaler, metadata: {name: a}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: a}}}\n"
		runs    = "{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {containers: [{name: c, ports: [{name: web, containerPort: 80}], livenessProbe: {httpGet: {port: web}}}]}}}}\n"
		asks    = "{kind: Deployment, metadata: {name: a}, spec: {template: {spec: {containers: [{name: c, ports: [{name: http, containerPort: 80}], livenessProbe: {httpGet: {port: web}}}]}}}}\n"
		set     = "{kind: StatefulSet, metadata: {name: a}, spec: {serviceName: a}}\n"
		pod     = "{kind: Pod, metadata: {name: a-0, labels: {app: a}}, spec: {containers: [{name: c, ports: [{name: web, containerPort: 80}]}]}}\n"
	)
	for _, c := range []struct {
		name, seed, end string
		want            []string
	}{
		{name: "all is there", seed: web + ingress + pod + runs + scaler + set + monitor, end: web + byPort + ingress + pod + runs + scaler + set + monitor},
		{name: "a port of another name", seed: web + ingress, end: http + ingress, want: []string{"spec.rules[0].http.paths[0].backend.service.port of ingresses.networking.k8s.io default/a is web, and services default/a has no such port"}},
		{name: "an Ingress that comes later", seed: web, end: http + byPort, want: []string{"spec.defaultBackend.service.port of ingresses.networking.k8s.io default/a is 80, and services default/a has no such port"}},
		{name: "it never was", seed: http + ingress, end: http + ingress},
		{name: "the resource names it", seed: web + ingress, end: "{kind: Thing, metadata: {name: a}, spec: {host: web}}\n" + http + ingress},
		{name: "the resource says which ports there are", seed: web + ingress, end: "{kind: Thing, metadata: {name: a}, spec: {ports: [{number: 81}]}}\n" + http + ingress},
		{name: "the resource says what runs", seed: web + pod, end: "{kind: Thing, metadata: {name: a}, spec: {template: {containers: [{name: c}]}}}\n" + http + pod},
		{name: "nobody wants the Service", seed: web + ingress, end: ingress},
		{name: "another Service came in its place", seed: web + ingress + set, end: other + ingress + set, want: []string{
			"spec.rules[0].http.paths[0].backend.service.name of ingresses.networking.k8s.io default/a is a, and there is no such one, but services default/b, which was not there before",
			"spec.serviceName of statefulsets.apps default/a is a, and there is no such one, but services default/b, which was not there before",
		}},
		{name: "no container has the port", seed: web + pod, end: http + pod, want: []string{"spec.ports[0].targetPort of services default/a is http, and no container of the 1 pods that it selects has such a port"}},
		{name: "pods that are still to be replaced", seed: web + pod, end: http + pod + "{kind: StatefulSet, metadata: {name: a}, spec: {template: {metadata: {labels: {app: a}}, spec: {containers: [{name: c, ports: [{name: http}]}]}}}}\n"},
		{name: "the resource names the workload", seed: runs + pod, end: "{kind: Thing, metadata: {name: a}, spec: {target: a}}\n" + scaler + pod},
		{name: "nothing to scale", seed: scaler + runs + pod, end: scaler + pod, want: []string{"spec.scaleTargetRef of horizontalpodautoscalers.autoscaling default/a is Deployment a, and there is none, while pods run"}},
		{name: "nothing runs", seed: scaler + runs + pod, end: scaler},
		{name: "a probe", seed: runs, end: asks, want: []string{"spec.template.spec.containers[c].livenessProbe.httpGet.port of deployments.apps default/a is web, and the container has no such port"}},
		{name: "who asks for metrics", seed: web + monitor, end: http + monitor, want: []string{"spec.endpoints[0].port of servicemonitors.monitoring.coreos.com default/a is web, and none of the Services that it selects has such a port: a"}},
	} {
		t.Run(c.name, func(t *testing.T) { hold(t, "reference", caseOf(t, property("spec.size"), c.seed, c.end), c.want) })
	}
	// What cannot work, or is not done, need not fit.
	failing := caseOf(t, property("spec.size"), web+ingress, http+ingress)
	failing.Last().Rest.Failing = []string{"thing"}
	hold(t, "reference", failing, nil)
	wrong := property("spec.size")
	wrong.Misoperation = true
	hold(t, "reference", caseOf(t, wrong, web+ingress, http+ingress), nil)
}
