package stored

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
)

const replays = `{"schema":"seatrial.dev/replays/v1alpha1","tool":"seatrial","version":"v1","verdict":"diverged","replays":[
	{"verdict":"diverged","kubernetes":"v1.36.3","rule":"SEA1001","subject":"Deployment default/web","reason":"step 2: nobody acts","rows":[{"step":0,"expected":"a","seen":"a"}]}]}`

// TestEveryKindCanBeShownAgain: what each command leaves is read, and rendered in
// every format that shows it.
func TestEveryKindCanBeShownAgain(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		kind output.Kind
		want string
	}{
		"a report": {`{"schema":"seatrial.dev/report/v1alpha1","verdict":"holds","results":[]}`, output.Reports, "HOLDS  nothing was checked"},
		"a walk":   {`{"schema":"seatrial.dev/simulation/v1alpha1","seed":7,"end":"at rest"}`, output.Walks, "SIMULATED  0 steps from seed 7: at rest"},
		"replays":  {replays, output.Reports, "diverged  SEA1001 Deployment default/web"},
	} {
		t.Run(name, func(t *testing.T) {
			store := runstore.Store{Folder: filepath.Join(t.TempDir(), ".seatrial")}
			id, err := store.Save(runstore.Run{Began: time.Unix(0, 0)}, []runstore.Form{{JSON: func() ([]byte, error) { return []byte(c.text), nil }}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			s, out, _ := iostreams.Test("", iostreams.Terminal{Env: map[string]string{"LANG": "C.UTF-8"}})
			con := console.New(s, "")
			r, err := Open(con, store, id)
			if err != nil {
				t.Fatal(err)
			}
			for _, format := range output.Names() {
				plan, err := output.Parse([]string{format}, c.kind)
				if err != nil {
					continue // it does not show walks
				}
				out.Reset()
				if code, err := plan.Write(con, r.Document); code != 0 || err != nil || out.Len() == 0 {
					t.Errorf("%s: code %d, %v", format, code, err)
				}
				if format == output.Text && !strings.HasPrefix(out.String(), c.want) {
					t.Errorf("%s, want %s", out, c.want)
				}
			}
		})
	}
}

// TestReplayAsProperties: for formats that know properties only, a replay is one.
func TestReplayAsProperties(t *testing.T) {
	d, err := decode([]byte(replays))
	if err != nil {
		t.Fatal(err)
	}
	r := d.Report.Results[0]
	if r.Name != "trace-happens" || r.Subject != "SEA1001 Deployment default/web" || r.Verdict != "violated" || !strings.HasSuffix(r.Message, "step 2: nobody acts") || d.Report.Code() != 1 {
		t.Errorf("%+v", r)
	}
}

func TestFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"report": `{"schema":"seatrial.dev/report/v1alpha1"}`, "other": `{"schema":"seatrial.dev/report/v9"}`, "text": "HOLDS", "none": `{"schema":"seatrial.dev/replays/v1alpha1","replays":[null]}`} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"report": "", "-": "", "other": `other: the schema is "seatrial.dev/report/v9", want`, "text": "text: this is no report: ", "none": "none: decode replays: replays[0] has no verdict",
		"missing": "missing: there is no such run in .seatrial, and no such file", ".": ".: is a directory",
	} {
		s, _, _ := iostreams.Test(`{"schema":"seatrial.dev/simulation/v1alpha1"}`, iostreams.Terminal{})
		_, err := Open(console.New(s, ""), runstore.Store{Folder: ".seatrial"}, name)
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// FuzzDecode: whatever a file holds, it is refused with one line, or has something
// that can be rendered.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(replays))
	f.Add([]byte(`{"schema":"seatrial.dev/report/v1alpha1","results":[{"name":"a","verdict":"violated","trace":{"steps":[{}]}}]}`))
	f.Add([]byte(`{"schema":"seatrial.dev/simulation/v1alpha1","trace":{"steps":[{}],"loop":0}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := decode(data)
		switch {
		case err != nil:
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
		case d.Report == nil && d.Simulation == nil:
			t.Errorf("%s: nothing to render", data)
		default:
			if _, err := output.Encode(d); err != nil {
				t.Errorf("%s: %v", data, err)
			}
		}
	})
}
