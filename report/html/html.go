// Package html renders a report as one self-contained page: it opens from disk and
// asks the network for nothing.
//
// The page is three parts. A shell says the verdict in a sentence, so that there is
// something to read before, or without, any script. A JSON document, the page type
// of this package, has everything there is to show, made here: of each trace the
// state at its start and, step by step, what is different (deltas), so that long
// traces of large clusters stay small. A script shows it: plain JavaScript in asset/,
// without a build step and without a library.
//
// A trace is a sequence of states, and a state is objects with fields, whatever they
// are; the differences of a step can be shown for any of them. The view of a cluster,
// nodes with their pods, is one kind of view of such states, for traces with a setup
// that has nodes. A finding has a list of traces, that are shown beside each other:
// other trials have two.
//
// User text can hold anything. It is in two places alone: in the shell, where
// html.EscapeString has it, and in the JSON, which encoding/json writes without any
// <, > or &. The script puts it into the page as text (textContent), never as HTML;
// the content security policy of the page makes the browser refuse everything else:
// other scripts, any request, and HTML from strings. There is no html/template: a
// program that has it keeps every method of every type, and is twice the size
// (internal/lint).
package html

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
)

//go:embed asset
var assets embed.FS

// scripts are in the order in which the browser reads them.
var scripts = []string{"element.js", "film.js", "timeline.js", "cluster.js", "step.js", "player.js", "finding.js", "page.js"}

// Options say what the page shows beside the report. The zero value adds nothing.
type Options struct {
	// Facts are shown with what was explored, in this order.
	Facts []report.Fact
	_     struct{}
}

// Write renders r to w. The traces of r have their setups in them, as
// report/json.Read returns them.
func Write(w io.Writer, r *finding.Report, o Options) error {
	p, err := pageOf(r, o)
	if err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return p.write(w)
}

// WriteSimulation renders a random walk to w.
func WriteSimulation(w io.Writer, s *finding.Simulation) error {
	p, err := pageOfSimulation(s)
	if err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return p.write(w)
}

func (p *page) write(w io.Writer) error {
	style, err := assets.ReadFile("asset/style.css")
	if err != nil {
		return err
	}
	var script bytes.Buffer
	script.WriteString("(() => {\n\"use strict\";\n")
	for _, name := range scripts {
		text, err := assets.ReadFile("asset/" + name)
		if err != nil {
			return err
		}
		script.Write(text)
	}
	script.WriteString("})();\n")
	data, err := json.Marshal(p) // escapes <, > and &
	if err != nil {
		return err
	}
	text := html.EscapeString
	var b bytes.Buffer
	b.WriteString("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	fmt.Fprintf(&b, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n", policy(style, script.Bytes()))
	b.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
		"<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n" +
		"<link rel=\"icon\" href=\"data:,\">\n")
	fmt.Fprintf(&b, "<title>%s</title>\n<style>%s</style>\n</head>\n<body>\n", text(p.Title), style)
	fmt.Fprintf(&b, "<header class=\"top\" data-verdict=\"%s\">\n<p class=\"badge\">%s</p>\n", text(p.Verdict), text(p.Badge))
	fmt.Fprintf(&b, "<h1%s>%s</h1>\n", literal(p.Sentence), text(p.Sentence))
	if p.More != "" {
		fmt.Fprintf(&b, "<p class=\"more\"><a href=\"#properties\">%s</a></p>\n", text(p.More))
	}
	fmt.Fprintf(&b, "<p class=\"bound\">%s</p>\n</header>\n", text(p.Bound))
	fmt.Fprintf(&b, "<noscript><p class=\"bound\">What led to it is shown by the script of this page. Without one: <code>%s</code></p></noscript>\n", text(p.Command))
	b.WriteString("<main></main>\n")
	fmt.Fprintf(&b, "<script type=\"application/json\" id=\"data\">%s</script>\n<script>%s</script>\n</body>\n</html>\n", data, script.Bytes())
	_, err = w.Write(b.Bytes())
	return err
}

// policy allows this style and this script, and nothing else: no request, no other
// script, no HTML from strings.
func policy(style, script []byte) string {
	return strings.Join([]string{
		"default-src 'none'",
		"style-src '" + hash(style) + "'",
		"script-src '" + hash(script) + "'",
		"img-src data:",
		"base-uri 'none'",
		"form-action 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	}, "; ")
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// literal is the class of a sentence whose first word is a path or a name, which is not to begin with a capital.
func literal(sentence string) string {
	if first, _, _ := strings.Cut(sentence, " "); strings.ContainsAny(first, ".[/") {
		return ` class="literal"`
	}
	return ""
}
