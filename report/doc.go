// Package report is the room of the output formats: each folder renders one
// finding.Report to an io.Writer and does nothing else. What was found, the
// verdict and the exit code are settled before a renderer is called, so no
// format can change them. Renderers import finding and trace only; what several
// of them say alike is in this package.
package report
