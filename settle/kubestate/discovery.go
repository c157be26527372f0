package kubestate

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

var discoveryKinds = []builtin{{
	kind: kindOf("discovery.k8s.io", "EndpointSlice"), plural: "endpointslices",
	counted: func(o runtime.Object) any {
		s := o.(*discoveryv1.EndpointSlice)
		return []any{s.AddressType, s.Endpoints, s.Ports, s.Labels}
	},
	defaults: each(defaultSlice), validate: check(validateSlice),
	changed: change(func(s, old *discoveryv1.EndpointSlice) field.ErrorList {
		return immutable(field.NewPath("addressType"), s.AddressType, old.AddressType)
	}),
}}

func defaultSlice(s *discoveryv1.EndpointSlice) {
	for i := range s.Ports {
		fillPointer(&s.Ports[i].Name, "")
		fillPointer(&s.Ports[i].Protocol, corev1.ProtocolTCP)
	}
}

func validateSlice(s *discoveryv1.EndpointSlice) field.ErrorList {
	all := oneOf(field.NewPath("addressType"), s.AddressType, discoveryv1.AddressTypeFQDN, discoveryv1.AddressTypeIPv4, discoveryv1.AddressTypeIPv6)
	names := map[string]bool{}
	for i, p := range s.Ports {
		if name := field.NewPath("ports").Index(i).Child("name"); names[*p.Name] {
			all = append(all, field.Duplicate(name, *p.Name))
		} else if *p.Name != "" {
			all = append(all, dnsLabel(name, *p.Name)...)
		}
		names[*p.Name] = true
	}
	for i, e := range s.Endpoints {
		if len(e.Addresses) == 0 {
			all = append(all, field.Required(field.NewPath("endpoints").Index(i).Child("addresses"), "must contain at least 1 address"))
		}
	}
	return all
}
