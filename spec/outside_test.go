package spec

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/spec/syntax"
)

// TestOutside: what specifications read of files and of the environment, if they may, and what they are kept from.
func TestOutside(t *testing.T) {
	t.Setenv("SEATRIAL_TEST_GREETING", "hello")
	for _, c := range []struct {
		expression, value string
		// refused is why, without being allowed; denied is why even then.
		refused, denied string
	}{
		{`ToJson([a |-> <<1, "x\"">>, b |-> {TRUE}, c |-> <<>>])`, `"{\"a\":[1,\"x\\\"\"],\"b\":[true],\"c\":[]}"`, "", ""},
		{`ToJsonObject(<<1, 2>>)`, `"{\"1\":1,\"2\":2}"`, "", ""},
		{`ToJsonArray({2, 1})`, `"[1,2]"`, "", ""},
		{`JsonDeserialize("one.json")`, `[x |-> [y |-> <<>>]]`, "JsonDeserialize reads one.json", ""},
		{`ndJsonDeserialize("two.ndjson")`, `<<[a |-> 1], [b |-> <<1, "2.5", null>>]>>`, "ndJsonDeserialize reads two.ndjson", ""},
		{`CSVRecords("a.csv")`, `2`, "CSVRecords reads a.csv", ""},
		{`CSVRead(<<"a", "b">>, ";", "a.csv")`, `<<[a |-> "1", b |-> "x"], [a |-> "2", b |-> ""]>>`, "CSVRead reads a.csv", ""},
		{`Deserialize("one.json", [format |-> "TXT", charset |-> "UTF-8"])`, `"{\"x\":{\"y\":[]}}\n"`, "Deserialize reads one.json", ""},
		{`IOEnv.SEATRIAL_TEST_GREETING`, `"hello"`, "IOEnv reads the environment", ""},
		{`<<atoi("-17"), zeroPadN(42, 5), zeroPadN(123, 2)>>`, `<<-17, "00042", "123">>`, "", ""},
		{`JsonDeserialize("none.json")`, "", "reads none.json", "no such file"},
		{`JsonSerialize("one.json", 1)`, "", "JsonSerialize writes a file", "JsonSerialize writes a file"},
		{`ndJsonSerialize("one.json", <<1>>)`, "", "writes a file", "writes a file"},
		{`CSVWrite("%1$s", <<1>>, "a.csv")`, "", "CSVWrite writes a file", "CSVWrite writes a file"},
		{`IOExec(<<"true">>).exitValue`, "", "IOExec runs a program", "IOExec runs a program"},
		{`ChiSquare([a |-> 1], [a |-> 2], "0.05")`, "", "ChiSquare is not supported", "ChiSquare is not supported"},
		{`DotDiGraph([node |-> {1}], LAMBDA v : "", LAMBDA e : "")`, "", "DotDiGraph is not supported", "DotDiGraph is not supported"},
		{`Trace`, "", "Trace is not supported", "Trace is not supported"},
		{`Serialize(1, "one.json", [format |-> "TXT"])`, "", "writes a file", "writes a file"},
	} {
		folder := write(t, map[string]string{
			"M.tla":    "---- MODULE M ----\nEXTENDS Json, IOUtils, CSV, TLC, TLCExt, Statistics, GraphViz\nASSUME PrintT(" + c.expression + ")\n====\n",
			"M.cfg":    "",
			"one.json": `{"x":{"y":[]}}` + "\n", "two.ndjson": "{\"a\":1}\n{\"b\":[1,2.5,null]}\n", "a.csv": "1;x\r\n2;\r\n",
		})
		for want, load := range map[string]func(string, string, ...string) (*Spec, error){c.refused: Load, c.denied + " ": LoadOutside} {
			s, err := load(filepath.Join(folder, "M.tla"), "")
			if err != nil {
				t.Fatal(err)
			}
			var printed []string
			_, err = s.Check(t.Context(), Options{Print: func(line string) { printed = append(printed, line) }})
			want = strings.TrimSpace(want)
			var at *syntax.Error
			switch {
			case want == "" && (err != nil || strings.Join(printed, "\n") != c.value):
				t.Errorf("%s is %q, %v; want %s", c.expression, printed, err, c.value)
			case want != "" && (!errors.As(err, &at) || at.At.Line != 3 || !strings.Contains(err.Error(), want)):
				t.Errorf("%s: %q, %v; want an error in line 3 with %q", c.expression, printed, err, want)
			}
		}
	}
}
