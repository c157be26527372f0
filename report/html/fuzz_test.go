package html

import (
	"bytes"
	"testing"

	"github.com/seatrial/seatrial/internal/sample"
	reportjson "github.com/seatrial/seatrial/report/json"
)

// FuzzWrite: whatever report can be read, from a file that somebody edited, makes a
// page or an error, and a page has the elements of any other.
func FuzzWrite(f *testing.F) {
	r := sample.Large(1, 5)
	t := r.Results[0].Trace
	t.Setup.Objects, t.Setup.Workloads, t.Pods = t.Setup.Objects[:2], t.Setup.Workloads[:1], t.Pods[:1]
	var small bytes.Buffer
	if err := reportjson.Write(&small, r); err != nil {
		f.Fatal(err)
	}
	f.Add(small.Bytes())
	f.Add([]byte(`{"schema":"seatrial.dev/report/v1alpha1","verdict":"<","results":[{"verdict":"violated","causes":[{"location":{"file":"a","line":1,"column":-1}}]}],"sources":[{"file":"a","line":1,"text":["\t\u0000"]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := reportjson.Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if Write(&b, r, Options{}) != nil {
			return
		}
		for _, element := range []string{"<script", "</script", "<main", "<h1", "<header"} {
			want := 1
			if element == "<script" || element == "</script" {
				want = 2
			}
			if got := bytes.Count(b.Bytes(), []byte(element)); got != want {
				t.Errorf("%d of %s, want %d", got, element, want)
			}
		}
	})
}
