package controller

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
	kcm "k8s.io/kubernetes/cmd/kube-controller-manager/app/config"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app/options"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	kcmconfig "k8s.io/kubernetes/pkg/controller/apis/config"
)

// usual are the controllers that a plane runs: those that make workloads, nodes,
// namespaces, volumes and quota behave as in a cluster. What is left out signs
// certificates, talks to clouds, or routes networks that are not there.
var usual = []string{
	names.ClusterRoleAggregationController, names.CronJobController, names.DaemonSetController, names.DeploymentController,
	names.DisruptionController, names.EndpointSliceController, names.EphemeralVolumeController,
	names.GarbageCollectorController, names.HorizontalPodAutoscalerController, names.JobController,
	names.NamespaceController, names.NodeLifecycleController, names.PersistentVolumeBinderController,
	names.PersistentVolumeClaimProtectionController, names.PersistentVolumeExpanderController,
	names.PersistentVolumeProtectionController, names.PodGarbageCollectorController,
	names.ReplicaSetController, names.ReplicationControllerController, names.ResourceQuotaController,
	names.ServiceAccountController, names.StatefulSetController, names.TaintEvictionController,
	names.TTLAfterFinishedController,
}

// Full are those of the usual ones that a lean API server has no API for.
var Full = []string{names.ClusterRoleAggregationController}

// Selected is what a list as --controllers takes it selects.
func Selected(list []string) ([]string, error) {
	known, aliases := app.KnownControllers(), app.ControllerAliases()
	var selected []string
	additions := slices.ContainsFunc(list, func(entry string) bool { return !strings.HasPrefix(entry, "-") })
	if slices.Contains(list, "*") || !additions && !slices.Contains(list, "-*") {
		selected = slices.Clone(usual)
	}
	for _, entry := range list {
		name, out := strings.CutPrefix(entry, "-")
		if name == "*" {
			continue
		}
		if alias, ok := aliases[name]; ok {
			name = alias
		}
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("kube-controller-manager has no controller %q; there are: %s", name, strings.Join(known, ", "))
		}
		selected = slices.DeleteFunc(selected, func(s string) bool { return s == name })
		if !out {
			selected = append(selected, name)
		}
	}
	slices.Sort(selected)
	return selected, nil
}

// configuration is what kube-controller-manager makes of its flags.
func configuration(o Options) (*kcmconfig.KubeControllerManagerConfiguration, error) {
	selected, err := Selected(o.Controllers)
	if err != nil {
		return nil, err
	}
	opts, err := options.NewKubeControllerManagerOptions()
	if err != nil {
		return nil, err
	}
	opts.SecureServing.BindPort = 0
	sets := opts.Flags(app.KnownControllers(), app.ControllersDisabledByDefault(), app.ControllerAliases())
	for name, value := range o.Flags {
		found := false
		for _, set := range sets.FlagSets {
			if set.Lookup(name) == nil {
				continue
			}
			found = true
			if err := set.Set(name, value); err != nil {
				return nil, fmt.Errorf("kube-controller-manager: --%s=%s: %w", name, value, err)
			}
		}
		if !found {
			return nil, fmt.Errorf("kube-controller-manager has no flag --%s", name)
		}
	}
	opts.Generic.Controllers = selected
	opts.Generic.LeaderElection.LeaderElect = false // a lost lease ends the process
	opts.SAController.ServiceAccountKeyFile = o.SigningKey
	var config kcm.Config
	if err := opts.ApplyTo(&config, app.KnownControllers(), app.ControllersDisabledByDefault(), app.ControllerAliases()); err != nil {
		return nil, fmt.Errorf("kube-controller-manager: %w", err)
	}
	if len(selected) == 0 {
		return nil, errors.New("no controller is selected")
	}
	return &config.ComponentConfig, nil
}
