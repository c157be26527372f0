package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/spf13/viper"
)

func settings(t *testing.T) *viper.Viper {
	t.Helper()
	v, err := load("")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// grey is a picture that goes from black to white.
func grey() image.Image {
	m := image.NewGray(image.Rect(0, 0, 128, 128))
	for i := range m.Pix {
		m.Pix[i] = byte(i % 128 * 2)
	}
	return m
}

func TestCacheKeeps(t *testing.T) {
	c, now := newCache(settings(t)), time.Unix(0, 0)
	c.put("a", []byte("x"), now)
	if _, is := c.get("a", now.Add(time.Second)); !is {
		t.Error("a thumbnail is gone after a second")
	}
}

func TestCacheIsBounded(t *testing.T) {
	v := settings(t)
	v.Set("cache.size", 2)
	c := newCache(v)
	for i := range 3 {
		c.put(fmt.Sprint(i), nil, time.Unix(0, 0))
	}
	if len(c.kept) != 2 {
		t.Errorf("%d are kept, want 2", len(c.kept))
	}
}

func TestFormatIsAsTold(t *testing.T) {
	v := settings(t)
	_, kind, err := thumbnail(v, grey())
	if want := "image/" + v.GetString("image.format"); err != nil || kind != want {
		t.Errorf("it is %s, %v, want %s", kind, err, want)
	}
}

func TestThumbnailLooksLikeThePicture(t *testing.T) {
	small, _, err := thumbnail(settings(t), grey())
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := image.Decode(bytes.NewReader(small))
	if err != nil {
		t.Fatal(err)
	}
	bounds := got.Bounds()
	for x := range bounds.Dx() {
		is := int(color.GrayModel.Convert(got.At(x, bounds.Dy()/2)).(color.Gray).Y)
		if want := x * 256 / bounds.Dx(); max(is-want, want-is) > 12 {
			t.Errorf("at %d it is %d, want %d as in the picture", x, is, want)
		}
	}
}

func TestWidth(t *testing.T) {
	for _, width := range []int{16, 32} {
		v := settings(t)
		v.Set("image.width", width)
		v.Set("image.format", "png")
		small, _, err := thumbnail(v, grey())
		if err != nil {
			t.Fatal(err)
		}
		got, err := png.DecodeConfig(bytes.NewReader(small))
		if err != nil || got.Width != width {
			t.Errorf("it is %d wide, %v, want %d", got.Width, err, width)
		}
	}
}

func TestAllJobsAreDone(t *testing.T) {
	jobs := make([]string, 96)
	if done := work(settings(t), jobs, func(string) {}); done != len(jobs) {
		t.Errorf("%d of %d jobs are done", done, len(jobs))
	}
}

func TestServes(t *testing.T) {
	t.Setenv("THUMBS_CACHE_TTL", "1h")
	var body bytes.Buffer
	if err := png.Encode(&body, grey()); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	handler(settings(t)).ServeHTTP(w, httptest.NewRequest(http.MethodPut, "/a", &body))
	if w.Code != http.StatusOK || w.Body.Len() == 0 {
		t.Errorf("answered %d with %d bytes", w.Code, w.Body.Len())
	}
}

// TestAddress holds the default, whatever it is in a deployment.
func TestAddress(t *testing.T) {
	if got := address(settings(t)); got != "localhost:8080" {
		t.Errorf("it listens on %s", got)
	}
}
