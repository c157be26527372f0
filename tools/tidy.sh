#!/usr/bin/env bash
# Tidies the modules that need k8s.io/kubernetes, which asks for its staging
# modules at v0.0.0, a version that does not exist; with all of them required
# explicitly first, minimal version selection never looks for it. Tidy then keeps
# the ones that are needed.
set -euo pipefail
cd "$(dirname "$0")/.."

for module in cmd/seatrial cmd/seatrial-controlplane; do
	pushd "$module" >/dev/null
	version=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
	staging="v0.${version#v1.}"
	gomod=$(cd / && go mod download -json "k8s.io/kubernetes@$version" | sed -n 's/^\t"GoMod": "\(.*\)",*$/\1/p')
	required=$(awk '$1 ~ /^k8s\.io\// && $2 == "v0.0.0" {print $1}' "$gomod" | sort -u)

	count=$(wc -l <<<"$required")
	if [ "$count" -lt 25 ]; then
		echo "tidy: found only $count staging modules in $gomod" >&2
		exit 1
	fi
	for staged in $required; do
		go mod edit -require="$staged@$staging"
	done
	go mod tidy
	echo "tidy: $module: k8s.io/kubernetes $version, $count staging modules at $staging required first"
	popd >/dev/null
done
