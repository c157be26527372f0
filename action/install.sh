#!/usr/bin/env bash
# Installs a release of seatrial into FOLDER and adds that to the PATH of the steps
# that follow. VERSION is the release, or latest; if it is empty, REF, the tag by which
# the action was called, if that is a release.
set -euo pipefail

releases=${RELEASES:-https://github.com/seatrial/seatrial/releases}
version=${VERSION:-}
if [ -z "$version" ]; then
	version=latest
	if [[ ${REF:-} =~ ^v[0-9]+\.[0-9]+\.[0-9]+ ]]; then version=$REF; fi
fi
case $version in
latest) from=$releases/latest/download ;;
v*) from=$releases/download/$version ;;
*)
	echo "::error::seatrial: version is '$version', and must be latest or a release like v1.2.3"
	exit 2
	;;
esac
case $(uname -s) in Linux) system=linux ;; Darwin) system=darwin ;; *) system= ;; esac
case $(uname -m) in x86_64) machine=amd64 ;; aarch64 | arm64) machine=arm64 ;; *) machine= ;; esac
if [ -z "$system" ] || [ -z "$machine" ]; then
	echo "::error::seatrial: there is no release for $(uname -s) on $(uname -m)"
	exit 2
fi

archive=seatrial_${system}_$machine.tar.gz
mkdir -p "$FOLDER"
cd "$FOLDER"
for file in "$archive" checksums.txt; do
	if ! curl --fail --silent --show-error --location --retry 3 --output "$file" "$from/$file"; then
		echo "::error::seatrial: $from/$file cannot be had"
		exit 2
	fi
done
sum() { if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1; }
want=$(awk -v name="$archive" '$2 == name {print $1}' checksums.txt)
if [ -z "$want" ] || [ "$(sum "$archive")" != "$want" ]; then
	echo "::error::seatrial: $archive is not what checksums.txt says; nothing is installed"
	rm -f "$archive"
	exit 2
fi
tar -xzf "$archive" seatrial seatrial-controlplane
rm "$archive" checksums.txt
echo "$FOLDER" >>"$GITHUB_PATH"
"$FOLDER/seatrial" version
