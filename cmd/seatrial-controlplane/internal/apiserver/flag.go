package apiserver

import (
	"fmt"
	"maps"

	cliflag "k8s.io/component-base/cli/flag"
)

// flags are kube-apiserver's that a plane differs in from the defaults.
func flags(o Options) map[string]string {
	f := map[string]string{
		"allow-privileged":         "true",
		"authorization-mode":       "RBAC",
		"profiling":                "false",
		"endpoint-reconciler-type": "none",
		// One user's server has nobody to be fair to; it would write 20 objects at
		// the start, and their status again and again.
		"enable-priority-and-fairness": "false",
		// Every revision stays readable, by people and by the history.
		"storage-media-type":       "application/json",
		"etcd-compaction-interval": "0",
	}
	if o.Lean {
		maps.Copy(f, lean)
	}
	return f
}

// lean: no access control, quota, webhooks or certificates. networking.k8s.io
// stays: Services need its ServiceCIDRs.
var lean = map[string]string{
	"authorization-mode": "AlwaysAllow",
	"anonymous-auth":     "false", // whoever has no token may do nothing
	"runtime-config": "rbac.authorization.k8s.io/v1=false,certificates.k8s.io/v1=false," +
		"admissionregistration.k8s.io/v1=false,flowcontrol.apiserver.k8s.io/v1=false," +
		"node.k8s.io/v1=false,authorization.k8s.io/v1=false",
	"disable-admission-plugins": "ServiceAccount,CertificateApproval,CertificateSigning," +
		"CertificateSubjectRestriction,ClusterTrustBundleAttest,PodSecurity,RuntimeClass," +
		"DefaultIngressClass,MutatingAdmissionPolicy,MutatingAdmissionWebhook," +
		"ValidatingAdmissionPolicy,ValidatingAdmissionWebhook,ResourceQuota,NodeRestriction,PodTopologyLabels",
}

func setFlag(sets *cliflag.NamedFlagSets, name, value string) error {
	for _, set := range sets.FlagSets {
		if set.Lookup(name) == nil {
			continue
		}
		if err := set.Set(name, value); err != nil {
			return fmt.Errorf("kube-apiserver: --%s=%s: %w", name, value, err)
		}
		return nil
	}
	return fmt.Errorf("kube-apiserver has no flag --%s", name)
}
