package configtest

import "testing"

// TestSetAlias: a test that sets a key by its flag, or its variable, has a copy of what is deployed there, too. Two numbers that have changed places are found where each goes with the other one beside it as it was.
func TestSetAlias(t *testing.T) {
	files := map[string]string{"config.yaml": "batch:\n  size: 40\n  most: 200\n  match: item-[0-9]+\n", "store.go": `package store

import (
	"regexp"
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

func Names(v *viper.Viper, text string) bool {
	return regexp.MustCompile(v.GetString("batch.match")).MatchString(text)
}
`, "store_test.go": `package store

import "testing"

func TestFile(t *testing.T) {
	v, err := Load("config.yaml", nil)
	if err != nil || v.GetInt("batch.size") < 1 || v.GetInt("batch.most") < 1 || v.GetString("batch.match") == "" {
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

func TestNames(t *testing.T) {
	t.Setenv("STORE_BATCH_MATCH", "item-[0-9]+")
	v, err := Load("", nil)
	if err != nil {
		t.Fatal(err)
	}
	if Names(v, "item-") {
		t.Error("item- is one")
	}
}
`}
	compare(t, "viper", "thumbs", files, []comparison{
		{"size: 40\n  most: 200", "size: 200\n  most: 40", "violated passes batch.size, batch.most: TestSends: it is never sent"},
		{"size: 40\n  most: 200", "size: 50\n  most: 100", "holds passes batch.size: 1 test passes with it"},
		{"item-[0-9]+", "item-[0-9]*", "violated passes batch.match: TestNames: item- is one"},
		{"item-[0-9]+", "item-[0-8]+", "holds passes batch.match: 1 test passes with it"},
	})
}
