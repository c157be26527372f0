package field_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/internal/pace"
)

// component is configured as those of Kubernetes are: a versioned type that a codec decodes and functions fill, and one
// inside.
var component = map[string]string{
	"v1/types.go": `package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var GroupVersion = schema.GroupVersion{Group: "component.example.com", Version: "v1"}

type ComponentConfiguration struct {
	metav1.TypeMeta ` + "`json:\",inline\"`" + `
	Period  metav1.Duration ` + "`json:\"period\"`" + `
	Workers *int32          ` + "`json:\"workers,omitempty\"`" + `
	Servers []Server        ` + "`json:\"servers,omitempty\"`" + `
}

type Server struct {
	Port int ` + "`json:\"port\"`" + `
}

func (c *ComponentConfiguration) DeepCopyObject() runtime.Object { out := *c; return &out }

func SetDefaults_ComponentConfiguration(c *ComponentConfiguration) {
	if c.Workers == nil {
		n := int32(3)
		c.Workers = &n
	}
}
`,
	"load.go": `package component

import (
	"errors"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"

	v1 "example.com/component/v1"
)

type Config struct {
	Workers int
	Period  string
}

func Load(text []byte) (*v1.ComponentConfiguration, error) {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(v1.GroupVersion, &v1.ComponentConfiguration{})
	scheme.AddTypeDefaultingFunc(&v1.ComponentConfiguration{}, func(o any) {
		v1.SetDefaults_ComponentConfiguration(o.(*v1.ComponentConfiguration))
	})
	utilruntime.Must(scheme.SetVersionPriority(v1.GroupVersion))
	o, _, err := serializer.NewCodecFactory(scheme).UniversalDecoder(v1.GroupVersion).Decode(text, nil, nil)
	if err != nil {
		return nil, err
	}
	c, is := o.(*v1.ComponentConfiguration)
	if !is {
		return nil, errors.New("something else")
	}
	return c, nil
}

func NewConfig(c *v1.ComponentConfiguration) *Config {
	return &Config{Workers: int(*c.Workers), Period: "5s"}
}
`,
	"load_test.go": `package component

import "testing"

func TestLoad(t *testing.T) {
	c, err := Load([]byte("apiVersion: component.example.com/v1\nkind: ComponentConfiguration\nperiod: 5s\n"))
	if err != nil {
		t.Fatal(err)
	}
	if n := NewConfig(c); n.Workers != 3 || n.Period != "5s" {
		t.Errorf("%v", n)
	}
}
`,
}

// TestComponent: what a codec has made takes values when it is filled, and one version is known to be the other.
func TestComponent(t *testing.T) {
	pace.Slow(t)
	heavy, err := filepath.Abs("../../../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(heavy, "cmd", "seatrial", name))
		if err != nil {
			t.Fatal(err)
		}
		component[name] = string(text)
	}
	component["go.mod"] = regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(strings.ReplaceAll(component["go.mod"], "=> ../..", "=> "+heavy), "module example.com/component")
	b := build(t, module(t, component), "GOWORK=off")
	if len(b.sources.Problems) > 0 {
		t.Errorf("the problems are %q", b.sources.Problems)
	}
	if want := [2]parameter.ID{"field:component.Config.Workers", "field:v1.ComponentConfiguration.workers"}; !slices.Contains(b.sources.Aliases, want) {
		t.Errorf("the aliases are %v", b.sources.Aliases)
	}
	if o := b.run(t, "TestLoad", nil); o.Ending != run.Passed {
		t.Errorf("it %s\n%s", o.Ending, o.Output)
	}
	o := b.run(t, "TestLoad", map[parameter.ID]string{"field:v1.ComponentConfiguration": `{"workers": 7}`})
	read := func(e record.Event) bool {
		return e.Verb == record.Read && e.Subject == "field:component.Config.Workers" && e.Value == "7"
	}
	if o.Ending != run.Failed || !slices.ContainsFunc(o.Events, read) {
		t.Errorf("it %s with %v\n%s", o.Ending, o.Events, o.Output)
	}
}
