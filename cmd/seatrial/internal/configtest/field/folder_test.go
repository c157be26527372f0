package field_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestFoldersOfFiles: a file that is mounted has its text, whichever way the program opens it, and what it writes is
// its own.
func TestFoldersOfFiles(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import (
	"io"
	"io/fs"
	"os"
)

func Token() (string, error) {
	f, err := os.OpenFile("/etc/shop/token", os.O_RDONLY, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	return string(text), err
}

func Limit() (string, error) {
	text, err := fs.ReadFile(os.DirFS("/etc/shop"), "limit")
	return string(text), err
}

func Asked(name string) (string, error) {
	of := os.DirFS("/etc/shop")
	if info, err := of.(fs.StatFS).Stat(name); err != nil || info.Size() != 1 {
		return "", err
	}
	text, err := of.(fs.ReadFileFS).ReadFile(name)
	return string(text), err
}

func Log(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}
`,
		"shop_test.go": `package shop

import (
	"io/fs"
	"os"
	"testing"
)

func TestIt(t *testing.T) {
	token, err := Token()
	if err != nil || token != "t" {
		t.Error(token, err)
	}
	limit, err := Limit()
	if err != nil || limit != "5" {
		t.Error(limit, err)
	}
	if err := Log(t.TempDir() + "/log"); err != nil {
		t.Error(err)
	}
	if text, err := Asked("limit"); err != nil || text != "5" {
		t.Error(text, err)
	}
	of := os.DirFS(".")
	if all, err := of.(fs.ReadDirFS).ReadDir("."); err != nil || len(all) < 2 {
		t.Error(all, err)
	}
	if _, err := fs.Stat(of, "shop.go"); err != nil {
		t.Error(err)
	}
	if all, err := fs.Glob(of, "*.go"); err != nil || len(all) != 2 {
		t.Error(all, err)
	}
}
`,
	}), "GOWORK=off")
	o := b.run(t, "TestIt", map[parameter.ID]string{"file:/etc/shop/token": "t", "file:/etc/shop/limit": "5"})
	const want = "read file:/etc/shop/limit=5, read file:/etc/shop/token=t"
	if got := strings.Join(short(o, record.Read), ", "); o.Ending != run.Passed || got != want {
		t.Errorf("%s with %s, want %s\n%s", o.Ending, got, want, o.Output)
	}
}
