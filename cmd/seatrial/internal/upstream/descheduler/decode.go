package descheduler

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/descheduler/pkg/api"
	"sigs.k8s.io/descheduler/pkg/api/v1alpha2"
	"sigs.k8s.io/descheduler/pkg/descheduler/scheme"
	"sigs.k8s.io/descheduler/pkg/framework/pluginregistry"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/defaultevictor"
	"sigs.k8s.io/descheduler/pkg/utils"
)

// decode is LoadPolicyConfig (pkg/descheduler/policyconfig.go) on bytes. The
// decoding and every plugin's validation and defaults are the real code; what
// is written here is the sequence around them, since its package links an API
// server. A test holds it to the real function, messages included.
func decode(raw []byte, client kubernetes.Interface) (policy *api.DeschedulerPolicy, err error) {
	setupPlugins()
	// The real code asserts types of arguments that hostile input can defeat.
	defer func() {
		if cause := recover(); cause != nil {
			policy, err = nil, fmt.Errorf("%v", cause)
		}
	}()
	policy = &api.DeschedulerPolicy{}
	decoder := scheme.Codecs.UniversalDecoder(v1alpha2.SchemeGroupVersion, api.SchemeGroupVersion)
	if err := runtime.DecodeInto(decoder, raw, policy); err != nil {
		return nil, err
	}
	if err := utilerrors.NewAggregate(append(checkPlugins(policy), checkMetrics(policy)...)); err != nil {
		return nil, err
	}
	for i := range policy.Profiles {
		if err := complete(&policy.Profiles[i], client); err != nil {
			return nil, err
		}
	}
	return policy, nil
}

// checkPlugins has every plugin check its arguments.
func checkPlugins(policy *api.DeschedulerPolicy) (problems []error) {
	for _, profile := range policy.Profiles {
		for _, config := range profile.PluginConfigs {
			plugin, known := pluginregistry.PluginRegistry[config.Name]
			switch {
			case !known:
				problems = append(problems, fmt.Errorf("in profile %s: plugin %s in pluginConfig not registered", profile.Name, config.Name))
			case plugin.PluginArgValidator != nil:
				if err := plugin.PluginArgValidator(config.Args); err != nil {
					problems = append(problems, fmt.Errorf("in profile %s: %s", profile.Name, err.Error()))
				}
			}
		}
	}
	return problems
}

// checkMetrics refuses sources of metrics that contradict each other or lack
// what they need. Of several providers of one source the first one counts.
func checkMetrics(policy *api.DeschedulerPolicy) (problems []error) {
	refuse := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	first := map[api.MetricsSource]*api.Prometheus{}
	for _, provider := range policy.MetricsProviders {
		if _, again := first[provider.Source]; again {
			refuse("metric provider %q is already configured, each source can be configured only once", provider.Source)
			continue
		}
		first[provider.Source] = provider.Prometheus
	}
	if _, server := first[api.KubernetesMetrics]; server && policy.MetricsCollector != nil && policy.MetricsCollector.Enabled {
		refuse("it is not allowed to combine metrics provider when metrics collector is enabled")
	}
	prometheus, wanted := first[api.PrometheusMetrics]
	if !wanted {
		return problems
	}
	if prometheus == nil {
		refuse("prometheus configuration is required when prometheus source is enabled")
		return problems
	}
	if prometheus.URL == "" {
		refuse("prometheus URL is required when prometheus is enabled")
	} else if _, err := url.Parse(prometheus.URL); err != nil {
		refuse("error parsing prometheus URL: %v", err)
	}
	if token := prometheus.AuthToken; token != nil {
		if secret := token.SecretReference; secret == nil {
			refuse("prometheus authToken secret is expected to be set when authToken field is")
		} else if secret.Name == "" || secret.Namespace == "" {
			refuse("prometheus authToken secret reference does not set both namespace and name")
		}
	}
	return problems
}

// complete gives a profile what the real loader adds: the default evictor at
// its two extension points, a priority threshold that is a number, and each
// plugin's defaults. A default evictor that the profile does not configure
// itself gets none of the latter.
func complete(profile *api.DeschedulerProfile, client kubernetes.Interface) error {
	const name = defaultevictor.PluginName
	for _, point := range []*api.PluginSet{&profile.Plugins.Filter, &profile.Plugins.PreEvictionFilter} {
		if !slices.Contains(point.Enabled, name) {
			point.Enabled = slices.Insert(point.Enabled, 0, name)
		}
	}
	configured := profile.PluginConfigs
	at := slices.IndexFunc(configured, func(config api.PluginConfig) bool { return config.Name == name })
	if at < 0 {
		at = 0
		protections := defaultevictor.PodProtections{
			DefaultDisabled: []defaultevictor.PodProtection{}, ExtraEnabled: []defaultevictor.PodProtection{},
		}
		profile.PluginConfigs = append([]api.PluginConfig{{
			Name: name, Args: &defaultevictor.DefaultEvictorArgs{PodProtections: protections},
		}}, configured...)
	}
	args, ok := profile.PluginConfigs[at].Args.(*defaultevictor.DefaultEvictorArgs)
	if !ok {
		return errors.New("the arguments of DefaultEvictor are not its own")
	}
	threshold, err := utils.GetPriorityValueFromPriorityThreshold(context.Background(), client, args.PriorityThreshold)
	if err != nil {
		return err
	}
	args.PriorityThreshold = &api.PriorityThreshold{Value: &threshold}
	for _, config := range configured {
		if defaults := pluginregistry.PluginRegistry[config.Name].PluginArgDefaulter; defaults != nil {
			defaults(config.Args)
		}
	}
	return nil
}
