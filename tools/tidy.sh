#!/usr/bin/env bash
# Tidies cmd/seatrial. k8s.io/kubernetes asks for its staging modules at
# v0.0.0, which does not exist; with all of them required explicitly first,
# minimal version selection never looks for it. Tidy then keeps the ones that
# are needed.
set -euo pipefail
cd "$(dirname "$0")/../cmd/seatrial"

version=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
staging="v0.${version#v1.}"
gomod=$(cd / && go mod download -json "k8s.io/kubernetes@$version" | sed -n 's/^\t"GoMod": "\(.*\)",*$/\1/p')
modules=$(awk '$1 ~ /^k8s\.io\// && $2 == "v0.0.0" {print $1}' "$gomod" | sort -u)

count=$(wc -l <<<"$modules")
if [ "$count" -lt 25 ]; then
	echo "tidy: found only $count staging modules in $gomod" >&2
	exit 1
fi
for module in $modules; do
	go mod edit -require="$module@$staging"
done
go mod tidy
echo "tidy: k8s.io/kubernetes $version, $count staging modules at $staging required first"
