package expression

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// Fields is the table of everything that an expression can name, in Markdown.
func Fields() string {
	var b strings.Builder
	cluster := reflect.TypeFor[Cluster]()
	for i := range cluster.NumField() {
		f := cluster.Field(i)
		fmt.Fprintf(&b, "### %s\n\n%s\n\n| field | type | meaning |\n|---|---|---|\n", f.Tag.Get("cel"), sentence(f.Tag.Get("doc")))
		rows(&b, "", f.Type.Elem().Elem())
		b.WriteByte('\n')
	}
	return b.String()
}

func rows(b *strings.Builder, prefix string, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		name := prefix + f.Tag.Get("cel")
		switch {
		case f.Type.Kind() == reflect.Struct && f.Type != reflect.TypeFor[time.Time]():
			rows(b, name+".", f.Type)
		case f.Type.Kind() == reflect.Slice:
			fmt.Fprintf(b, "| `%s` | list | %s |\n", name, f.Tag.Get("doc"))
			rows(b, name+"[].", f.Type.Elem())
		default:
			fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, typeName(f.Type), f.Tag.Get("doc"))
		}
	}
}

func typeName(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "timestamp"
	case t.Kind() == reflect.Int64:
		return "int"
	case t.Kind() == reflect.Map:
		return "map(string, string)"
	}
	return t.Kind().String()
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }
