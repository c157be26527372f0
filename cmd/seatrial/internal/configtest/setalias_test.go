package configtest

import "testing"

// TestSetAlias: a test that sets a key by its flag, or its variable, has a copy of what is deployed there, too. Two
// numbers that have changed places are found where each goes with the other one beside it as it was.
func TestSetAlias(t *testing.T) {
	files := map[string]string{"config.yaml": "batch:\n  size: 40\n  most: 200\n  node: mx1\n", "store.go": `package store

import (
	"strings"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

func Load(path string, arguments []string) (*viper.Viper, error) {
	v := viper.New()
	v.SetEnvPrefix("STORE")
	v.SetEnvKeyReplacer(strings.NewReplacer(".", "_"))
	v.AutomaticEnv()
	flags := pflag.NewFlagSet("store", pflag.ContinueOnError)
	flags.Int("batch-size", 1, "")
	flags.Int("batch-most", 10, "")
	for key, name := range map[string]string{"batch.size": "batch-size", "batch.most": "batch-most"} {
		if err := v.BindPFlag(key, flags.Lookup(name)); err != nil {
			return nil, err
		}
	}
	if err := flags.Parse(arguments); err != nil {
		return nil, err
	}
	if path == "" {
		return v, nil
	}
	v.SetConfigFile(path)
	return v, v.ReadInConfig()
}

// Sends tells whether a batch is ever full.
func Sends(v *viper.Viper) bool { return v.GetInt("batch.size") <= v.GetInt("batch.most") }

// Of is the node of what has its name, and a number.
func Of(v *viper.Viper) string {
	node, _, _ := strings.Cut(v.GetString("batch.node")+"-7", "-")
	return node
}
`, "store_test.go": `package store

import "testing"

func TestFile(t *testing.T) {
	v, err := Load("config.yaml", nil)
	if err != nil || v.GetInt("batch.size") < 1 || v.GetInt("batch.most") < 1 || v.GetString("batch.node") == "" {
		t.Fatal(err)
	}
}

func TestSends(t *testing.T) {
	v, err := Load("", []string{"--batch-size=40", "--batch-most=200"})
	if err != nil {
		t.Fatal(err)
	}
	if !Sends(v) {
		t.Error("it is never sent")
	}
}

func TestOf(t *testing.T) {
	t.Setenv("STORE_BATCH_NODE", "mx1")
	v, err := Load("", nil)
	if err != nil {
		t.Fatal(err)
	}
	if of := Of(v); of != v.GetString("batch.node") {
		t.Errorf("it is of %s", of)
	}
}
`}
	compare(t, "viper", "thumbs", files, []comparison{
		{"size: 40\n  most: 200", "size: 200\n  most: 40", "violated passes batch.size, batch.most: TestSends: it is never sent"},
		{"size: 40\n  most: 200", "size: 50\n  most: 100", "holds passes batch.size: 1 test passes with it"},
		{"mx1", "mx-1", "violated passes batch.node: TestOf: it is of mx"},
		{"mx1", "mx2", "holds passes batch.node: 2 tests pass with it"},
	})
}
