package kubestate

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	valid "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var networkingKinds = []builtin{
	{kind: kindOf("networking.k8s.io", "Ingress"), plural: "ingresses", counted: specOf, validate: check(validateIngress)},
	{
		kind: kindOf("networking.k8s.io", "NetworkPolicy"), plural: "networkpolicies", counted: specOf,
		defaults: each(defaultNetworkPolicy), validate: check(validateNetworkPolicy),
	},
}

func validateIngress(in *networkingv1.Ingress) field.ErrorList {
	at, s := field.NewPath("spec"), &in.Spec
	var all field.ErrorList
	if len(s.Rules) == 0 && s.DefaultBackend == nil {
		all = append(all, field.Invalid(at, s.Rules, "either `defaultBackend` or `rules` must be specified"))
	}
	if s.DefaultBackend != nil {
		all = append(all, validateBackend(at.Child("defaultBackend"), s.DefaultBackend)...)
	}
	for i, r := range s.Rules {
		rule := at.Child("rules").Index(i)
		switch {
		case strings.HasPrefix(r.Host, "*"):
			all = append(all, invalid(rule.Child("host"), r.Host, valid.IsWildcardDNS1123Subdomain(r.Host))...)
		case r.Host != "":
			all = append(all, invalid(rule.Child("host"), r.Host, valid.IsDNS1123Subdomain(r.Host))...)
		}
		if r.HTTP == nil {
			continue
		}
		if len(r.HTTP.Paths) == 0 {
			all = append(all, field.Required(rule.Child("http", "paths"), ""))
		}
		for j := range r.HTTP.Paths {
			all = append(all, validateIngressPath(rule.Child("http", "paths").Index(j), &r.HTTP.Paths[j])...)
		}
	}
	if c := s.IngressClassName; c != nil {
		all = append(all, invalid(at.Child("ingressClassName"), *c, valid.IsDNS1123Subdomain(*c))...)
	}
	return all
}

func validateIngressPath(at *field.Path, p *networkingv1.HTTPIngressPath) field.ErrorList {
	if p.PathType == nil {
		return field.ErrorList{field.Required(at.Child("pathType"), "pathType must be specified")}
	}
	all := oneOf(at.Child("pathType"), *p.PathType, networkingv1.PathTypeExact, networkingv1.PathTypeImplementationSpecific, networkingv1.PathTypePrefix)
	if len(all) == 0 && !strings.HasPrefix(p.Path, "/") && (p.Path != "" || *p.PathType != networkingv1.PathTypeImplementationSpecific) {
		all = append(all, field.Invalid(at.Child("path"), p.Path, "must be an absolute path"))
	}
	return append(all, validateBackend(at.Child("backend"), &p.Backend)...)
}

func validateBackend(at *field.Path, b *networkingv1.IngressBackend) field.ErrorList {
	s := b.Service
	switch {
	case b.Resource != nil && s != nil:
		return field.ErrorList{field.Invalid(at, "", "cannot set both resource and service backends")}
	case b.Resource != nil:
		return nil
	case s == nil:
		return field.ErrorList{field.Invalid(at, "", "resource or service backend is required")}
	}
	var all field.ErrorList
	if s.Name == "" {
		all = append(all, field.Required(at.Child("service", "name"), ""))
	} else {
		all = append(all, invalid(at.Child("service", "name"), s.Name, valid.IsDNS1123Label(s.Name))...)
	}
	switch port := at.Child("service", "port"); {
	case s.Port.Name != "" && s.Port.Number != 0:
		all = append(all, field.Invalid(at, "", "cannot set both port name & port number"))
	case s.Port.Name != "":
		all = append(all, invalid(port.Child("name"), s.Port.Name, valid.IsValidPortName(s.Port.Name))...)
	case s.Port.Number != 0:
		all = append(all, invalid(port.Child("number"), s.Port.Number, valid.IsValidPortNum(int(s.Port.Number)))...)
	default:
		all = append(all, field.Required(at, "port name or number is required"))
	}
	return all
}

func defaultNetworkPolicy(p *networkingv1.NetworkPolicy) {
	if len(p.Spec.PolicyTypes) == 0 {
		p.Spec.PolicyTypes = []networkingv1.PolicyType{networkingv1.PolicyTypeIngress}
		if len(p.Spec.Egress) > 0 {
			p.Spec.PolicyTypes = append(p.Spec.PolicyTypes, networkingv1.PolicyTypeEgress)
		}
	}
	protocols := func(ports []networkingv1.NetworkPolicyPort) {
		for i := range ports {
			fillPointer(&ports[i].Protocol, corev1.ProtocolTCP)
		}
	}
	for _, r := range p.Spec.Ingress {
		protocols(r.Ports)
	}
	for _, r := range p.Spec.Egress {
		protocols(r.Ports)
	}
}

func validateNetworkPolicy(p *networkingv1.NetworkPolicy) field.ErrorList {
	at, s := field.NewPath("spec"), &p.Spec
	all := validSelector(at.Child("podSelector"), &s.PodSelector)
	rule := func(at *field.Path, peersName string, ports []networkingv1.NetworkPolicyPort, peers []networkingv1.NetworkPolicyPeer) {
		for i, p := range ports {
			all = append(all, protocol(at.Child("ports").Index(i).Child("protocol"), *p.Protocol)...)
		}
		for i, peer := range peers {
			of := at.Child(peersName).Index(i)
			all = append(all, validSelector(of.Child("podSelector"), peer.PodSelector)...)
			all = append(all, validSelector(of.Child("namespaceSelector"), peer.NamespaceSelector)...)
			switch selected := peer.PodSelector != nil || peer.NamespaceSelector != nil; {
			case selected && peer.IPBlock != nil:
				all = append(all, field.Forbidden(of, "may not specify both ipBlock and another peer"))
			case !selected && peer.IPBlock == nil:
				all = append(all, field.Required(of, "must specify a peer"))
			}
		}
	}
	for i, r := range s.Ingress {
		rule(at.Child("ingress").Index(i), "from", r.Ports, r.From)
	}
	for i, r := range s.Egress {
		rule(at.Child("egress").Index(i), "to", r.Ports, r.To)
	}
	for i, t := range s.PolicyTypes {
		all = append(all, oneOf(at.Child("policyTypes").Index(i), t, networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress)...)
	}
	return all
}
