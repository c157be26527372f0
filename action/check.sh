#!/usr/bin/env bash
# Checks PATHS (one a line) with the ARGUMENTS (one a line), and ends as the check does.
# Lines are taken as they are: no shell reads them again.
set -euo pipefail

arguments=(-o github)
if [ -n "${SARIF:-}" ]; then arguments+=(-o "sarif=$SARIF"); fi
if [ -n "${HTML:-}" ]; then arguments+=(-o "html=$HTML"); fi
add() {
	local line
	while IFS= read -r line; do
		line=${line%$'\r'}
		if [ -n "$line" ]; then arguments+=("$line"); fi
	done <<<"$1"
}
add "${ARGUMENTS:-}"
if [ -n "${PATHS:-}" ]; then
	arguments+=(--)
	add "$PATHS"
fi
code=0
seatrial check "${arguments[@]}" || code=$?
echo "exit-code=$code" >>"$GITHUB_OUTPUT"
exit "$code"
