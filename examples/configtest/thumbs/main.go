// Thumbs makes thumbnails of pictures and serves them; its settings are those of viper.
package main

import (
	"bytes"
	"fmt"
	"image"
	_ "image/png" // pictures come as PNG
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/viper"
)

func main() {
	v, err := load(os.Getenv("THUMBS_CONFIG"))
	if err == nil {
		err = http.ListenAndServe(address(v), handler(v))
	}
	fmt.Fprintln(os.Stderr, "thumbs:", err)
	os.Exit(1)
}

func address(v *viper.Viper) string {
	return net.JoinHostPort(v.GetString("server.address"), strconv.Itoa(v.GetInt("server.port")))
}

// handler answers a PUT of a picture with its thumbnail, and a GET with the one that it has.
func handler(v *viper.Viper) http.Handler {
	kept := newCache(v)
	var mutex sync.Mutex
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mutex.Lock()
		defer mutex.Unlock()
		if r.Method == http.MethodPut {
			original, _, err := image.Decode(http.MaxBytesReader(w, r.Body, 1<<24))
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			small, _, err := thumbnail(v, original)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			kept.put(r.URL.Path, small, time.Now())
		}
		small, is := kept.get(r.URL.Path, time.Now())
		if !is {
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(small))
	})
}
