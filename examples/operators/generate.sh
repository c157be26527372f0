#!/bin/sh
# Makes the crd.yaml of each folder of its Go types.
set -eu
generator=sigs.k8s.io/controller-tools/cmd/controller-gen@v0.20.1
for controller in */controller.go; do
	folder=${controller%/controller.go}
	made=$(mktemp -d)
	go run "$generator" crd:maxDescLen=0 "paths=./$folder" "output:crd:dir=$made"
	cat "$made"/*.yaml >"$folder/crd.yaml"
	rm -r "$made"
done
