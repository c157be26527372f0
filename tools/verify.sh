#!/usr/bin/env bash
# Fails if `make generate` changes anything in the working tree.
set -euo pipefail
cd "$(dirname "$0")/.."

tree() { { git status --porcelain --untracked-files=all; git diff HEAD; } | git hash-object --stdin; }

before=$(tree)
make generate
if [ "$(tree)" != "$before" ]; then
	git status --short
	echo "verify: generated files are out of date; run make generate and commit what changes" >&2
	exit 1
fi
echo "verify: generated files are up to date"
