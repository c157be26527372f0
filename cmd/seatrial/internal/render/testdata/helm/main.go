// Helm stands for helm in tests, where there is none: for charts that use values and few functions.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"go.yaml.in/yaml/v3"
)

func main() {
	if err := render(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
}

// render is helm template RELEASE CHART [--values=FILE]...
func render(args []string) error {
	if len(args) < 3 || args[0] != "template" {
		return fmt.Errorf("only helm template is here, and this is %q", args)
	}
	chart := args[2]
	values := map[string]any{}
	files := []string{filepath.Join(chart, "values.yaml")}
	for _, a := range args[3:] {
		if file, is := strings.CutPrefix(a, "--values="); is {
			files = append(files, file)
		}
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		more := map[string]any{}
		if err := yaml.Unmarshal(text, &more); err != nil {
			return err
		}
		merge(values, more)
	}
	var head struct{ Name string }
	text, err := os.ReadFile(filepath.Join(chart, "Chart.yaml"))
	if err == nil {
		err = yaml.Unmarshal(text, &head)
	}
	if err != nil {
		return err
	}
	templates, err := filepath.Glob(filepath.Join(chart, "templates", "*.yaml"))
	if err != nil {
		return err
	}
	for _, file := range templates {
		if err := one(file, head.Name, map[string]any{"Values": values, "Release": map[string]any{"Name": args[1]}, "Files": folder(chart)}); err != nil {
			return err
		}
	}
	return nil
}

// one renders one template.
func one(file, chart string, data any) error {
	of, err := template.New(filepath.Base(file)).Funcs(template.FuncMap{
		"quote":   func(v any) string { return fmt.Sprintf("%q", fmt.Sprint(v)) },
		"nindent": func(n int, text string) string { return "\n" + indent(n, text) },
		"indent":  indent,
		"mul":     func(a, b int) int { return a * b },
	}).ParseFiles(file)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := of.Execute(&b, data); err != nil {
		return err
	}
	fmt.Printf("---\n# Source: %s/templates/%s\n%s", chart, filepath.Base(file), b.String())
	return nil
}

// folder is what templates know as .Files.
type folder string

// Get is a file of the chart.
func (f folder) Get(name string) string {
	text, _ := os.ReadFile(filepath.Join(string(f), name)) // as helm does
	return string(text)
}

func indent(n int, text string) string {
	pad := strings.Repeat(" ", n)
	return pad + strings.ReplaceAll(text, "\n", "\n"+pad)
}

func merge(to, from map[string]any) {
	for k, v := range from {
		below, both := to[k].(map[string]any)
		if more, is := v.(map[string]any); is && both {
			merge(below, more)
			continue
		}
		to[k] = v
	}
}
