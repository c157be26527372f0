package field_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// TestLogged: what a program only logs is not read there; what it gives a log to go by is, and what is in the argument
// of another function.
func TestLogged(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"time"
)

type Config struct {
	Workers int           ` + "`json:\"workers\"`" + `
	Name    string        ` + "`json:\"name\"`" + `
	Wait    time.Duration ` + "`json:\"wait\"`" + `
	Level   slog.Level    ` + "`json:\"level\"`" + `
	Prefix  string        ` + "`json:\"prefix\"`" + `
	Port    int           ` + "`json:\"port\"`" + `
	Size    *int          ` + "`json:\"size\"`" + `
}

func Load(text []byte) (*Config, error) {
	c := &Config{Size: new(int)}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, err
	}
	log.Printf("%d workers, %d", c.Workers, *c.Size)
	slog.Info("starts", "name", c.Name, slog.String("wait", c.Wait.String()), "seconds", int(c.Wait.Seconds()))
	logger := slog.New(slog.NewTextHandler(io.Discard, nil))
	logger.With("x", 1).Warn(fmt.Sprintf("name %s", c.Name))
	return c, nil
}

func Run(c *Config) {
	slog.SetLogLoggerLevel(c.Level)
	log.New(io.Discard, c.Prefix, 0).Print("x")
	log.Print(listen(c.Port))
}

func listen(port int) error { return nil }
`,
		"shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) {\n\tc, _ := Load([]byte(`{}`))\n\tRun(c)\n}\n",
	}), "GOWORK=off")
	o := b.run(t, "TestIt", nil)
	if got, want := strings.Join(short(o, record.Read), ", "), "read level=INFO, read port=0, read prefix="; got != want {
		t.Errorf("%s, want %s\n%s", got, want, o.Output)
	}
}
