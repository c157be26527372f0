// Command seatrial checks Kubernetes configurations before they sail.
package main

import (
	"os"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
)

func main() {
	os.Exit(cli.Main(os.Args, iostreams.System(), trials()))
}
