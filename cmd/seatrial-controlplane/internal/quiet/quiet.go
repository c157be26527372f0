// Package quiet keeps the API server's etcd clients from writing to standard error,
// where they tell of every request that a stop cuts off. They open their logger when
// their package is initialised: packages are in the order of their paths as far as
// they do not import each other, and this one, which imports nothing else, is before
// those of k8s.io.
package quiet

import "go.etcd.io/etcd/client/pkg/v3/logutil"

func init() {
	logutil.DefaultZapLoggerConfig.OutputPaths = nil
	logutil.DefaultZapLoggerConfig.ErrorOutputPaths = nil
}
