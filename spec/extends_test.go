package spec

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
