package field_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestKeysOfParts: what a function of the program decodes below a key that it is told is at the key that its callers
// say, of a type parameter as of what it is given, and what it decodes below a key of its own, or whole, is there for
// all of them. A type of which there are several parts is at none of them.
func TestKeysOfParts(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":         "module example.com/shop\n\ngo 1.24\n\nrequire github.com/knadh/koanf/v2 v2.0.0\n\nreplace github.com/knadh/koanf/v2 => ./koanf\n",
		"koanf/go.mod":   "module github.com/knadh/koanf/v2\n\ngo 1.24\n",
		"koanf/koanf.go": "package koanf\n\ntype Koanf struct{}\n\nfunc New(string) *Koanf { return nil }\n\nfunc (k *Koanf) Cut(path string) *Koanf { return nil }\n\nfunc (k *Koanf) Load(p, parser any) error { return nil }\n\nfunc (k *Koanf) Unmarshal(path string, o any) error { return nil }\n",
		"shop_test.go":   "package shop\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) {}\n",
		"shop.go": `package shop

import "github.com/knadh/koanf/v2"

type Cache struct {
	Size int ` + "`koanf:\"size\"`" + `
}

type Queue struct {
	Depth int ` + "`koanf:\"depth\"`" + `
}

type Listener struct {
	Port int ` + "`koanf:\"port\"`" + `
}

func Part[T any](k *koanf.Koanf, path string) (T, error) {
	var out T
	return out, k.Unmarshal(path, &out)
}

type Log struct {
	Level string ` + "`koanf:\"level\"`" + `
}

type Server struct {
	Name string ` + "`koanf:\"name\"`" + `
}

func all[T any](k *koanf.Koanf) (out T, err error) { return out, k.Unmarshal("", &out) }

func section(k *koanf.Koanf, to any) error { return k.Cut("main").Unmarshal("server", to) }

func into(k *koanf.Koanf, path string, to any) error { return k.Unmarshal(path, to) }

func use(k *koanf.Koanf) int {
	c, _ := Part[Cache](k, "store.cache")
	var q Queue
	_ = into(k, "queue", &q)
	a, _ := Part[Listener](k, "http")
	b, _ := Part[Listener](k, "grpc")
	l, _ := all[Log](k)
	var s Server
	_ = section(k, &s)
	return len(l.Level+s.Name) + c.Size + q.Depth + a.Port + b.Port
}
`,
	}), "GOWORK=off")
	want := [][2]parameter.ID{{"koanf:level", "field:shop.Log.level"}, {"koanf:main.server.name", "field:shop.Server.name"}, {"koanf:queue.depth", "field:shop.Queue.depth"}, {"koanf:store.cache.size", "field:shop.Cache.size"}}
	if diff := cmp.Diff(want, b.sources.Aliases); diff != "" || len(b.sources.Problems) > 0 {
		t.Errorf("the aliases (-want +got): %s, with %q", diff, b.sources.Problems)
	}
}
