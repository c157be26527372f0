// Package scheduler runs the real kube-scheduler as a part of this process.
package scheduler

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/cmd/kube-scheduler/app/options"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/spec"
)

// Options say which scheduler to start.
type Options struct {
	Config *rest.Config
	// YAML is a KubeSchedulerConfiguration, or empty for the default one.
	YAML string
	// Directory is for files of the scheduler's own.
	Directory string
	// Steering is nil for a scheduler that decides as it does everywhere.
	Steering *Steering
}

// Scheduler is a scheduler that runs.
type Scheduler struct {
	informers informers.SharedInformerFactory
	cancel    context.CancelFunc
	ended     sync.WaitGroup
}

// Start starts a scheduler and waits until it has seen everything there is.
func Start(ctx context.Context, o Options) (*Scheduler, error) {
	configuration, err := load(o)
	if err != nil {
		return nil, err
	}
	var registry frameworkruntime.Registry
	if o.Steering != nil {
		enable(configuration)
		configuration.PodInitialBackoffSeconds = 0 // a refusal is no failure
		registry = o.Steering.registry()
	}
	client, err := kubernetes.NewForConfig(o.Config)
	if err != nil {
		return nil, err
	}
	untyped, err := dynamic.NewForConfig(o.Config)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &Scheduler{informers: scheduler.NewInformerFactory(client, 0), cancel: cancel}
	others := dynamicinformer.NewFilteredDynamicSharedInformerFactory(untyped, 0, metav1.NamespaceAll, nil)
	broadcaster := events.NewEventBroadcasterAdapterWithContext(ctx, client)
	instance, err := scheduler.New(ctx, client, s.informers, others, broadcaster.NewRecorder,
		scheduler.WithComponentConfigVersion(configuration.APIVersion),
		scheduler.WithKubeConfig(o.Config),
		scheduler.WithProfiles(configuration.Profiles...),
		scheduler.WithPercentageOfNodesToScore(configuration.PercentageOfNodesToScore),
		scheduler.WithPodInitialBackoffSeconds(configuration.PodInitialBackoffSeconds),
		scheduler.WithPodMaxBackoffSeconds(configuration.PodMaxBackoffSeconds),
		scheduler.WithExtenders(configuration.Extenders...),
		scheduler.WithParallelism(configuration.Parallelism),
		scheduler.WithFrameworkOutOfTreeRegistry(registry),
	)
	if err != nil {
		cancel()
		err = fmt.Errorf("start kube-scheduler: %w", err)
		if o.YAML != "" { // a plugin that there is not, for example
			err = spec.Wrong(err)
		}
		return nil, err
	}
	if o.Steering != nil {
		instance.Extenders = append(instance.Extenders, tie{})
	}
	broadcaster.StartRecordingToSink(ctx.Done())
	s.informers.Start(ctx.Done())
	others.Start(ctx.Done())
	s.informers.WaitForCacheSync(ctx.Done())
	others.WaitForCacheSync(ctx.Done())
	if err := handled(ctx, instance.WaitForHandlersSync); err != nil {
		cancel()
		return nil, fmt.Errorf("start kube-scheduler: %w", err)
	}
	s.ended.Go(func() {
		instance.Run(ctx)
		broadcaster.Shutdown()
		others.Shutdown()
	})
	return s, nil
}

// handled waits until the handlers have what the informers have. The scheduler
// itself looks for that ten times a second only, which is longer than it takes.
func handled(ctx context.Context, synced func(context.Context) error) error {
	const every = time.Millisecond
	for {
		soon, cancel := context.WithTimeout(ctx, every)
		err := synced(soon)
		cancel()
		if err == nil || ctx.Err() != nil {
			return err
		}
	}
}

// Stop ends the scheduler and waits until it has.
func (s *Scheduler) Stop() {
	s.cancel()
	s.ended.Wait()
	s.informers.Shutdown()
}

// Informers are the typed ones of the scheduler.
func (s *Scheduler) Informers() informers.SharedInformerFactory { return s.informers }

// load reads the configuration as kube-scheduler's --config does.
func load(o Options) (*config.KubeSchedulerConfiguration, error) {
	if o.YAML == "" {
		return latest.Default()
	}
	file := filepath.Join(o.Directory, "scheduler.yaml")
	if err := os.WriteFile(file, []byte(o.YAML), 0o600); err != nil {
		return nil, err
	}
	configuration, err := options.LoadConfigFromFile(klog.Background(), file)
	if err != nil {
		return nil, spec.Wrong(fmt.Errorf("scheduler configuration: %w", err))
	}
	return configuration, nil
}
