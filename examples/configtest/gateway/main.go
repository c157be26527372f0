// Gateway hands requests on to several servers; it is told by flags and by the environment.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
)

func main() {
	var o options
	o.register(flag.CommandLine)
	flag.Parse()
	s := server(&o, gateway(&o, forward))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ended := make(chan error, 1)
	go func() {
		<-ctx.Done()
		within, cancel := context.WithTimeout(context.Background(), o.shutdownGrace)
		defer cancel()
		ended <- s.Shutdown(within)
	}()
	err := s.ListenAndServe()
	if errors.Is(err, http.ErrServerClosed) {
		err = <-ended
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gateway:", err)
		os.Exit(1)
	}
}

func forward(upstream string) []byte {
	answer, err := http.Get("http://" + upstream)
	if err != nil {
		return []byte(err.Error())
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return []byte(err.Error())
	}
	return body
}
