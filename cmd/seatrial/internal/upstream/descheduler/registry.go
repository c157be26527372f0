package descheduler

import (
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/descheduler/pkg/framework/pluginregistry"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/defaultevictor"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/nodeutilization"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/podlifetime"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removeduplicates"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removefailedpods"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removepodshavingtoomanyrestarts"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removepodsviolatinginterpodantiaffinity"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removepodsviolatingnodeaffinity"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removepodsviolatingnodetaints"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removepodsviolatingtopologyspreadconstraint"
)

// setupPlugins fills the descheduler's global plugin registry, which its
// policy conversion reads, with the plugins of the real binary
// (RegisterDefaultPlugins of pkg/descheduler, which links an API server's
// options and is therefore not called). It is set once per process.
var setupPlugins = sync.OnceFunc(func() { pluginregistry.PluginRegistry = newRegistry() })

func newRegistry() pluginregistry.Registry {
	registry := pluginregistry.NewRegistry()
	add := func(name string, build pluginregistry.PluginBuilder, plugin any, args runtime.Object,
		validate pluginregistry.PluginArgValidator, defaults pluginregistry.PluginArgDefaulter,
	) {
		pluginregistry.Register(name, build, plugin, args, validate, defaults, registry)
	}
	add(defaultevictor.PluginName, defaultevictor.New,
		&defaultevictor.DefaultEvictor{}, &defaultevictor.DefaultEvictorArgs{},
		defaultevictor.ValidateDefaultEvictorArgs, defaultevictor.SetDefaults_DefaultEvictorArgs)
	add(nodeutilization.LowNodeUtilizationPluginName, nodeutilization.NewLowNodeUtilization,
		&nodeutilization.LowNodeUtilization{}, &nodeutilization.LowNodeUtilizationArgs{},
		nodeutilization.ValidateLowNodeUtilizationArgs, nodeutilization.SetDefaults_LowNodeUtilizationArgs)
	add(nodeutilization.HighNodeUtilizationPluginName, nodeutilization.NewHighNodeUtilization,
		&nodeutilization.HighNodeUtilization{}, &nodeutilization.HighNodeUtilizationArgs{},
		nodeutilization.ValidateHighNodeUtilizationArgs, nodeutilization.SetDefaults_HighNodeUtilizationArgs)
	add(podlifetime.PluginName, podlifetime.New,
		&podlifetime.PodLifeTime{}, &podlifetime.PodLifeTimeArgs{},
		podlifetime.ValidatePodLifeTimeArgs, podlifetime.SetDefaults_PodLifeTimeArgs)
	add(removeduplicates.PluginName, removeduplicates.New,
		&removeduplicates.RemoveDuplicates{}, &removeduplicates.RemoveDuplicatesArgs{},
		removeduplicates.ValidateRemoveDuplicatesArgs, removeduplicates.SetDefaults_RemoveDuplicatesArgs)
	add(removefailedpods.PluginName, removefailedpods.New,
		&removefailedpods.RemoveFailedPods{}, &removefailedpods.RemoveFailedPodsArgs{},
		removefailedpods.ValidateRemoveFailedPodsArgs, removefailedpods.SetDefaults_RemoveFailedPodsArgs)
	add(removepodshavingtoomanyrestarts.PluginName, removepodshavingtoomanyrestarts.New,
		&removepodshavingtoomanyrestarts.RemovePodsHavingTooManyRestarts{},
		&removepodshavingtoomanyrestarts.RemovePodsHavingTooManyRestartsArgs{},
		removepodshavingtoomanyrestarts.ValidateRemovePodsHavingTooManyRestartsArgs,
		removepodshavingtoomanyrestarts.SetDefaults_RemovePodsHavingTooManyRestartsArgs)
	add(removepodsviolatinginterpodantiaffinity.PluginName, removepodsviolatinginterpodantiaffinity.New,
		&removepodsviolatinginterpodantiaffinity.RemovePodsViolatingInterPodAntiAffinity{},
		&removepodsviolatinginterpodantiaffinity.RemovePodsViolatingInterPodAntiAffinityArgs{},
		removepodsviolatinginterpodantiaffinity.ValidateRemovePodsViolatingInterPodAntiAffinityArgs,
		removepodsviolatinginterpodantiaffinity.SetDefaults_RemovePodsViolatingInterPodAntiAffinityArgs)
	add(removepodsviolatingnodeaffinity.PluginName, removepodsviolatingnodeaffinity.New,
		&removepodsviolatingnodeaffinity.RemovePodsViolatingNodeAffinity{},
		&removepodsviolatingnodeaffinity.RemovePodsViolatingNodeAffinityArgs{},
		removepodsviolatingnodeaffinity.ValidateRemovePodsViolatingNodeAffinityArgs,
		removepodsviolatingnodeaffinity.SetDefaults_RemovePodsViolatingNodeAffinityArgs)
	add(removepodsviolatingnodetaints.PluginName, removepodsviolatingnodetaints.New,
		&removepodsviolatingnodetaints.RemovePodsViolatingNodeTaints{},
		&removepodsviolatingnodetaints.RemovePodsViolatingNodeTaintsArgs{},
		removepodsviolatingnodetaints.ValidateRemovePodsViolatingNodeTaintsArgs,
		removepodsviolatingnodetaints.SetDefaults_RemovePodsViolatingNodeTaintsArgs)
	add(removepodsviolatingtopologyspreadconstraint.PluginName, removepodsviolatingtopologyspreadconstraint.New,
		&removepodsviolatingtopologyspreadconstraint.RemovePodsViolatingTopologySpreadConstraint{},
		&removepodsviolatingtopologyspreadconstraint.RemovePodsViolatingTopologySpreadConstraintArgs{},
		removepodsviolatingtopologyspreadconstraint.ValidateRemovePodsViolatingTopologySpreadConstraintArgs,
		removepodsviolatingtopologyspreadconstraint.SetDefaults_RemovePodsViolatingTopologySpreadConstraintArgs)
	return registry
}
