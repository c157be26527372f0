package settle

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestCalling: only tests that call the library, themselves or through functions beside them,
// are run.
func TestCalling(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"itself", `import "github.com/seatrial/seatrial/settle"
func TestA(t *testing.T) { settle.Check(t, config()) }
func TestB(t *testing.T) { config() }
func config() settle.Config { return settle.Config{} }`, []string{"TestA"}},
		{"through others", `import s "github.com/seatrial/seatrial/settle"
func TestA(t *testing.T) { t.Run("x", func(t *testing.T) { check(t) }) }
func check(t *testing.T) { again(t) }
func again(t *testing.T) { check(t); s.Finds(t, s.Config{}, "x") }`, []string{"TestA"}},
		{"a method", `import "github.com/seatrial/seatrial/settle"
type suite struct{}
func (suite) check(t *testing.T) { settle.Check(t, settle.Config{}) }
func TestA(t *testing.T) { suite{}.check(t) }
func TestB(t *testing.T) {}`, []string{"TestA"}},
		{"without its name", `import . "github.com/seatrial/seatrial/settle"
func TestA(t *testing.T) { Check(t, Config{}) }`, []string{"TestA"}},
		{"of another package", `import "example.com/settle"
func TestA(t *testing.T) { settle.Check(t) }`, nil},
		{"not a test", `import "github.com/seatrial/seatrial/settle"
func TestMain(m *testing.M) { settle.Check(nil, settle.Config{}) }
func BenchmarkA(b *testing.B) { settle.Check(b, settle.Config{}) }`, nil},
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "a_test.go"), []byte("package a\n"+test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := calling(listed{Dir: folder, XTestGoFiles: []string{"a_test.go"}})
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, %v, want %v", test.name, got, err, test.want)
		}
	}
}
