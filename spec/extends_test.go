package spec

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/statespace"
)

// TestModulesThatExtendThemselves has modules whose EXTENDS lead back to them.
func TestModulesThatExtendThemselves(t *testing.T) {
	for _, tt := range []struct{ name, a, b, want string }{
		{"directly", "A", "", "A.tla:2:9: module A extends itself"},
		{"through another", "B", "A", "B.tla:2:9: module A extends itself"},
		{"not", "B", "Naturals", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder := t.TempDir()
			for name, text := range map[string]string{
				"A.tla": "---- MODULE A ----\nEXTENDS " + tt.a + "\nVARIABLE x\nInit == x = 0\nNext == x' = x\n====\n",
				"B.tla": "---- MODULE B ----\nEXTENDS " + tt.b + "\n====\n",
				"A.cfg": "INIT Init\nNEXT Next\n",
			} {
				if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			_, err := Load(filepath.Join(folder, "A.tla"), filepath.Join(folder, "A.cfg"))
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// TestModulesOfOneFile has several modules one after the other in the file of the specification.
func TestModulesOfOneFile(t *testing.T) {
	const spec = "---- MODULE %s ----\nEXTENDS Limits\nVARIABLE x\nInit == x = 0\nNext == x < Most /\\ x' = x + 1\n====\n"
	const limits = "---- MODULE Limits ----\nEXTENDS Naturals\nMost == %s\n====\n"
	for _, tt := range []struct {
		name, text, beside string
		states             int
		want               string
	}{
		{"after", fmt.Sprintf(spec, "A") + "text between\n" + fmt.Sprintf(limits, "2"), "", 3, ""},
		{"before", fmt.Sprintf(limits, "2") + fmt.Sprintf(spec, "A"), "", 3, ""},
		{"a file of that name comes first", fmt.Sprintf(spec, "A") + fmt.Sprintf(limits, "2"), fmt.Sprintf(limits, "4"), 5, ""},
		{"comments with lines like ends and beginnings", strings.Replace(fmt.Sprintf(spec, "A"), "VARIABLE x", "VARIABLE x\n(*\n====\n---- MODULE Limits ----\n*)", 1) + "text (* between\n" +
			fmt.Sprintf(limits, "2 \\* ====\n\\* ---- MODULE B ----\n"), "", 3, ""},
		{"missing", fmt.Sprintf(spec, "A"), "", 0, "A.tla:2:9: "},
		{"an error in it", fmt.Sprintf(spec, "A") + fmt.Sprintf(limits, "("), "", 0, "A.tla:10:1: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder := t.TempDir()
			for name, text := range map[string]string{"A.tla": tt.text, "A.cfg": "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n", "Limits.tla": tt.beside} {
				if text == "" {
					continue
				}
				if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			s, err := Load(filepath.Join(folder, "A.tla"), "")
			if err != nil || tt.want != "" {
				if err == nil || tt.want == "" || !strings.Contains(err.Error(), tt.want) {
					t.Fatalf("error %v, want %q", err, tt.want)
				}
				return
			}
			if r, err := s.Check(t.Context(), Options{}); err != nil || r.Stats.States != tt.states {
				t.Errorf("%d states, want %d: %v", r.Stats.States, tt.states, err)
			}
		})
	}
}

// TestReplacedInInstances: what a configuration gives for a definition is what other definitions of an instance
// mention. I!Op is Op as it is written, so that what replaces it can say more than that.
func TestReplacedInInstances(t *testing.T) {
	folder := write(t, map[string]string{
		"P.tla": "---- MODULE P ----\nEXTENDS Naturals\nCONSTANT K\nany == CHOOSE y : y \\notin Nat\nSum == any + K\nOp(n) == n\nTwice == Op(K)\n====\n",
		"M.tla": "---- MODULE M ----\nEXTENDS P\nVARIABLE x\nI == INSTANCE P WITH K <- 2\nMine(n) == I!Op(n) + n\nInit == x = 0\nNext == UNCHANGED x\nInv == Sum = 8 /\\ I!Sum = 9 /\\ I!Twice = 4\n====\n",
		"M.cfg": "INIT Init NEXT Next INVARIANT Inv CONSTANTS K = 1 any = 7 Op <- Mine",
	})
	s, err := Load(filepath.Join(folder, "M.tla"), "")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := s.Check(t.Context(), Options{}); err != nil || r.Claims[0].Verdict != statespace.Holds {
		t.Errorf("%+v, %v", r.Claims, err)
	}
}
