package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/trace"
)

const long = `A file .seatrial.yaml in the working directory says which flags hold there, so that
everyone of a team, and CI, runs the same:

  apiVersion: seatrial.dev/v1alpha1
  kind: Configuration
  color: never
  check:
    paths: [deploy/, scenario.yaml]
    timeout: 5m

A key is the name of a flag, below the name of its command; the flags of all
commands stand at the top. A flag on the command line wins over the file, whole:
lists are not added up. Names of files are relative to the working directory.

--config=FILE reads another file, and --config= none. Editors that know JSON
schemas complete and check the file: 'seatrial config schema' prints it.`

// New returns the command.
func New(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "write and show the configuration file", Long: long,
		Annotations: map[string]string{lineOnly: ""},
		Args:        cobra.NoArgs,
		Run:         func(cmd *cobra.Command, _ []string) { _ = cmd.Help() }, // help that cannot be written has nobody to be told
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "init", Short: "write a " + Name + " with all that can be in it, as comments",
			Long: "Init writes " + Name + " into the working directory, or the file that --config names.\nA file that is there is left alone.",
			Args: cobra.NoArgs, Example: "  seatrial config init", DisableFlagsInUseLine: true,
			RunE: func(cmd *cobra.Command, _ []string) error { return create(c, cmd) },
		},
		&cobra.Command{
			Use: "schema", Short: "print the JSON schema of the file",
			Args: cobra.NoArgs, Example: "  seatrial config schema", DisableFlagsInUseLine: true,
			RunE: func(cmd *cobra.Command, _ []string) error {
				text, err := Schema(cmd.Root())
				if err != nil {
					return failure.Internal(err)
				}
				return c.Print(string(text))
			},
		},
		&cobra.Command{
			Use: "show", Short: "say what is configured, and in which line",
			Args: cobra.NoArgs, Example: "  seatrial config show", DisableFlagsInUseLine: true,
			RunE: func(cmd *cobra.Command, _ []string) error { return show(c, cmd) },
		},
	)
	return cmd
}

// Flag adds --config to root.
func Flag(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.String("config", Name, "the configuration `FILE` (seatrial config --help); empty for none")
	LineOnly(flags, "config")
}

// create writes the template where there is no file yet.
func create(c *console.Console, cmd *cobra.Command) error {
	name := Name
	if file := chosen(cmd); file != nil {
		name = *file
	}
	if name == "" {
		return failure.Usage(cmd.CommandPath(), "--config is empty: there is no file to write")
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		_, err = io.WriteString(f, Template(cmd.Root()))
		if closed := f.Close(); err == nil {
			err = closed
		}
		if err != nil {
			_ = os.Remove(name) // half a file is worse than none
		}
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return failure.Input(fmt.Errorf("%s is there already, and is left alone", name))
	case err != nil:
		return failure.Input(fmt.Errorf("the configuration cannot be written: %w", err))
	}
	c.Notice("wrote %s; take the # off what is to hold", name)
	return nil
}

// show lists the settings of the file.
func show(c *console.Console, cmd *cobra.Command) error {
	name, settings, err := load(cmd)
	if err == nil {
		err = apply(cmd, name, settings)
	}
	if err != nil {
		return failure.Input(err)
	}
	if name == "" {
		c.Notice("there is no %s here; 'seatrial config init' writes one", Name)
		return nil
	}
	var b strings.Builder
	for _, s := range settings {
		b.WriteString(trace.Printable(fmt.Sprintf("%s:%d: %s=%s", name, s.line, s.name(), s.value), c.ASCII()) + "\n")
	}
	return c.Print(b.String())
}
