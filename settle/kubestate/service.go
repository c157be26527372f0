package kubestate

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/util/intstr"
	valid "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var serviceKind = builtin{
	kind: kindOf("", "Service"), plural: "services", upsert: true, returned: true, named: validation.NameIsDNSLabel,
	defaults: each(defaultService), create: each(allocate), update: both(updateService),
	validate: check(validateService), changed: change(changedService),
	fields: selectable(func(s *corev1.Service) fields.Set {
		return fields.Set{"spec.clusterIP": s.Spec.ClusterIP, "spec.type": string(s.Spec.Type)}
	}),
}

func defaultService(s *corev1.Service) {
	fill(&s.Spec.SessionAffinity, corev1.ServiceAffinityNone)
	switch c := s.Spec.SessionAffinityConfig; {
	case s.Spec.SessionAffinity == corev1.ServiceAffinityNone:
		s.Spec.SessionAffinityConfig = nil
	case s.Spec.SessionAffinity == corev1.ServiceAffinityClientIP && (c == nil || c.ClientIP == nil || c.ClientIP.TimeoutSeconds == nil):
		seconds := corev1.DefaultClientIPServiceAffinitySeconds
		s.Spec.SessionAffinityConfig = &corev1.SessionAffinityConfig{ClientIP: &corev1.ClientIPConfig{TimeoutSeconds: &seconds}}
	}
	fill(&s.Spec.Type, corev1.ServiceTypeClusterIP)
	for i := range s.Spec.Ports {
		p := &s.Spec.Ports[i]
		fill(&p.Protocol, corev1.ProtocolTCP)
		if p.TargetPort == intstr.FromInt32(0) || p.TargetPort == intstr.FromString("") {
			p.TargetPort = intstr.FromInt32(p.Port)
		}
	}
	external := s.Spec.Type == corev1.ServiceTypeLoadBalancer || s.Spec.Type == corev1.ServiceTypeNodePort
	if external || s.Spec.Type == corev1.ServiceTypeClusterIP && len(s.Spec.ExternalIPs) > 0 {
		fill(&s.Spec.ExternalTrafficPolicy, corev1.ServiceExternalTrafficPolicyCluster)
	}
	if external || s.Spec.Type == corev1.ServiceTypeClusterIP {
		fillPointer(&s.Spec.InternalTrafficPolicy, corev1.ServiceInternalTrafficPolicyCluster)
	}
	if s.Spec.Type == corev1.ServiceTypeLoadBalancer {
		fillPointer(&s.Spec.AllocateLoadBalancerNodePorts, true)
		for i := range s.Status.LoadBalancer.Ingress {
			if in := &s.Status.LoadBalancer.Ingress[i]; in.IP != "" {
				fillPointer(&in.IPMode, corev1.LoadBalancerIPModeVIP)
			}
		}
	}
}

// draw is the number of a text among n.
func draw(n uint32, text ...any) uint32 {
	h := fnv.New32a()
	_, _ = fmt.Fprintln(h, text...) // never fails
	return h.Sum32() % n
}

// allocate gives a service the addresses and ports that it is to get of the cluster, one
// with IPv4 only. A real one draws them at random; here they follow from namespace and
// name, and two services may have the same.
func allocate(s *corev1.Service) {
	if !addressed(s) {
		s.Spec.InternalTrafficPolicy = nil
		return
	}
	headless := s.Spec.ClusterIP == corev1.ClusterIPNone
	if len(s.Spec.ClusterIPs) == 0 {
		if s.Spec.ClusterIP == "" {
			n := draw(1<<16, s.Namespace, s.Name)
			s.Spec.ClusterIP = fmt.Sprintf("10.96.%d.%d", n>>8, n&255)
		}
		s.Spec.ClusterIPs = []string{s.Spec.ClusterIP}
	}
	if headless && len(s.Spec.Selector) == 0 {
		// Somebody else gives it endpoints, of whatever family.
		fillPointer(&s.Spec.IPFamilyPolicy, corev1.IPFamilyPolicyRequireDualStack)
	}
	fillPointer(&s.Spec.IPFamilyPolicy, corev1.IPFamilyPolicySingleStack)
	if len(s.Spec.IPFamilies) == 0 {
		s.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
		if headless && *s.Spec.IPFamilyPolicy != corev1.IPFamilyPolicySingleStack {
			s.Spec.IPFamilies = append(s.Spec.IPFamilies, corev1.IPv6Protocol)
		}
	}
	if s.Spec.Type == corev1.ServiceTypeClusterIP || s.Spec.AllocateLoadBalancerNodePorts != nil && !*s.Spec.AllocateLoadBalancerNodePorts {
		return
	}
	for i := range s.Spec.Ports {
		fill(&s.Spec.Ports[i].NodePort, nodePort(s, i))
	}
	if s.Spec.Type == corev1.ServiceTypeLoadBalancer && s.Spec.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal {
		fill(&s.Spec.HealthCheckNodePort, nodePort(s, "health"))
	}
}

// nodePort is one of those that kube-apiserver gives by default.
func nodePort(s *corev1.Service, of any) int32 {
	return 30000 + int32(draw(2768, s.Namespace, s.Name, of)) //nolint:gosec // below 2768
}

// updateService has a service keep what was allocated for it, if the update says nothing
// else, and lose what its new type has not.
func updateService(s, old *corev1.Service) {
	keepAddresses(s, old)
	keepPorts(s, old)
	balanced := func(s *corev1.Service) bool { return s.Spec.Type == corev1.ServiceTypeLoadBalancer }
	if balanced(old) && !balanced(s) {
		s.Spec.AllocateLoadBalancerNodePorts, s.Spec.LoadBalancerClass = nil, nil
		s.Status.LoadBalancer = corev1.LoadBalancerStatus{}
	}
	external := func(s *corev1.Service) bool { return ported(s) || addressed(s) && len(s.Spec.ExternalIPs) > 0 }
	if external(old) && !external(s) && s.Spec.ExternalTrafficPolicy == old.Spec.ExternalTrafficPolicy {
		s.Spec.ExternalTrafficPolicy = ""
	}
	allocate(s)
}

// addressed tells whether a service has an address of the cluster, and ported whether it
// has ports of the nodes.
func addressed(s *corev1.Service) bool { return s.Spec.Type != corev1.ServiceTypeExternalName }

func ported(s *corev1.Service) bool {
	return s.Spec.Type == corev1.ServiceTypeNodePort || s.Spec.Type == corev1.ServiceTypeLoadBalancer
}

func keepAddresses(s, old *corev1.Service) {
	now, was := &s.Spec, &old.Spec
	if now.ClusterIP != was.ClusterIP && slices.Equal(now.ClusterIPs, was.ClusterIPs) {
		now.ClusterIPs = nil // the client knows the one field only
		if now.ClusterIP != "" {
			now.ClusterIPs = []string{now.ClusterIP}
		}
	}
	switch {
	case addressed(old) && addressed(s):
		fill(&now.ClusterIP, was.ClusterIP)
		if len(now.ClusterIPs) == 0 {
			now.ClusterIPs = was.ClusterIPs
		}
		if len(now.IPFamilies) == 0 {
			now.IPFamilies = was.IPFamilies
		}
		if now.IPFamilyPolicy == nil {
			now.IPFamilyPolicy = was.IPFamilyPolicy
		}
	case addressed(old):
		if now.ClusterIP == was.ClusterIP && slices.Equal(now.ClusterIPs, was.ClusterIPs) {
			now.ClusterIP, now.ClusterIPs = "", nil
		}
		if slices.Equal(now.IPFamilies, was.IPFamilies) {
			now.IPFamilies = nil
		}
		if reflect.DeepEqual(now.IPFamilyPolicy, was.IPFamilyPolicy) {
			now.IPFamilyPolicy = nil
		}
	}
}

func keepPorts(s, old *corev1.Service) {
	checked := func(s *corev1.Service) bool {
		return s.Spec.Type == corev1.ServiceTypeLoadBalancer && s.Spec.ExternalTrafficPolicy == corev1.ServiceExternalTrafficPolicyLocal
	}
	switch same := s.Spec.HealthCheckNodePort == old.Spec.HealthCheckNodePort; {
	case checked(old) && checked(s):
		fill(&s.Spec.HealthCheckNodePort, old.Spec.HealthCheckNodePort)
	case checked(old) && same:
		s.Spec.HealthCheckNodePort = 0
	}
	named, asked := map[string]int32{}, map[int32]bool{}
	for _, p := range old.Spec.Ports {
		named[p.Name] = p.NodePort
	}
	for _, p := range s.Spec.Ports {
		asked[p.NodePort] = true
	}
	for i := range s.Spec.Ports {
		p := &s.Spec.Ports[i]
		switch was := named[p.Name]; {
		case ported(old) && ported(s) && !asked[was]:
			fill(&p.NodePort, was)
		case ported(old) && !ported(s) && p.NodePort == was:
			p.NodePort = 0
		}
	}
}

func validateService(s *corev1.Service) field.ErrorList {
	at := field.NewPath("spec")
	all := validateServicePorts(at.Child("ports"), s)
	switch headless := s.Spec.ClusterIP == corev1.ClusterIPNone; {
	case headless && (s.Spec.Type == corev1.ServiceTypeLoadBalancer || s.Spec.Type == corev1.ServiceTypeNodePort):
		all = append(all, field.Invalid(at.Child("clusterIPs").Index(0), s.Spec.ClusterIP, fmt.Sprintf("may not be set to 'None' for %s services", s.Spec.Type)))
	case s.Spec.Type == corev1.ServiceTypeExternalName:
		if s.Spec.ClusterIP != "" || len(s.Spec.ClusterIPs) > 0 {
			all = append(all, field.Forbidden(at.Child("clusterIPs"), "may not be set for ExternalName services"))
		}
		if s.Spec.ExternalName == "" {
			all = append(all, field.Required(at.Child("externalName"), ""))
		}
	case s.Spec.ClusterIP != "" && len(s.Spec.ClusterIPs) > 0 && s.Spec.ClusterIP != s.Spec.ClusterIPs[0]:
		all = append(all, field.Invalid(at.Child("clusterIPs"), s.Spec.ClusterIPs, "first value must match `clusterIP`"))
	}
	if s.Spec.ClusterIP != "" && s.Spec.ClusterIP != corev1.ClusterIPNone {
		for i, ip := range s.Spec.ClusterIPs {
			all = append(all, valid.IsValidIP(at.Child("clusterIPs").Index(i), ip)...)
		}
	}
	all = append(all, metavalidation.ValidateLabels(s.Spec.Selector, at.Child("selector"))...)
	all = append(all, oneOf(at.Child("sessionAffinity"), s.Spec.SessionAffinity, corev1.ServiceAffinityClientIP, corev1.ServiceAffinityNone)...)
	all = append(all, oneOf(at.Child("type"), s.Spec.Type, corev1.ServiceTypeClusterIP, corev1.ServiceTypeExternalName, corev1.ServiceTypeLoadBalancer, corev1.ServiceTypeNodePort)...)
	return append(all, twice(at.Child("ports"), s)...)
}

func validateServicePorts(at *field.Path, s *corev1.Service) field.ErrorList {
	var all field.ErrorList
	if len(s.Spec.Ports) == 0 && s.Spec.ClusterIP != corev1.ClusterIPNone && s.Spec.Type != corev1.ServiceTypeExternalName {
		all = append(all, field.Required(at, ""))
	}
	names := map[string]bool{}
	for i, p := range s.Spec.Ports {
		switch name := at.Index(i).Child("name"); {
		case p.Name == "" && len(s.Spec.Ports) > 1:
			all = append(all, field.Required(name, ""))
		case p.Name != "":
			all = append(all, dnsLabel(name, p.Name)...)
			if names[p.Name] {
				all = append(all, field.Duplicate(name, p.Name))
			}
		}
		names[p.Name] = true
		all = append(all, invalid(at.Index(i).Child("port"), p.Port, valid.IsValidPortNum(int(p.Port)))...)
		all = append(all, protocol(at.Index(i).Child("protocol"), p.Protocol)...)
		if p.TargetPort.Type == intstr.Int {
			all = append(all, invalid(at.Index(i).Child("targetPort"), p.TargetPort.IntVal, valid.IsValidPortNum(int(p.TargetPort.IntVal)))...)
		} else {
			all = append(all, invalid(at.Index(i).Child("targetPort"), p.TargetPort.StrVal, valid.IsValidPortName(p.TargetPort.StrVal))...)
		}
	}
	return all
}

// twice refuses ports of nodes for a service that has none, and ports that are there
// twice.
func twice(at *field.Path, s *corev1.Service) field.ErrorList {
	type internal struct { // the server's type, which has no tags
		Name        string
		Protocol    corev1.Protocol
		AppProtocol *string
		Port        int32
		TargetPort  intstr.IntOrString
		NodePort    int32
	}
	var all field.ErrorList
	for i, p := range s.Spec.Ports {
		if s.Spec.Type == corev1.ServiceTypeClusterIP && p.NodePort != 0 {
			all = append(all, field.Forbidden(at.Index(i).Child("nodePort"), "may not be used when `type` is 'ClusterIP'"))
		}
	}
	known := map[internal]bool{}
	for i, p := range s.Spec.Ports {
		key := internal{Protocol: p.Protocol, Port: p.Port}
		if known[key] {
			all = append(all, field.Duplicate(at.Index(i), key))
		}
		known[key] = true
	}
	return all
}

func changedService(s, old *corev1.Service) field.ErrorList {
	if s.Spec.Type == corev1.ServiceTypeExternalName || old.Spec.Type == corev1.ServiceTypeExternalName {
		return nil
	}
	at := field.NewPath("spec", "clusterIPs").Index(0)
	switch now, was := s.Spec.ClusterIPs, old.Spec.ClusterIPs; {
	case reflect.DeepEqual(now, was) || len(was) == 0:
	case len(now) == 0:
		return field.ErrorList{field.Invalid(at, now, "primary clusterIP can not be unset")}
	case now[0] != was[0]:
		return field.ErrorList{field.Invalid(at, now, "may not change once set")}
	}
	return nil
}
