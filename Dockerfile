# seatrial and the control plane that replay uses, without a shell, a package manager
# or a user that may do anything:
#
#   docker build -t seatrial .
#   docker run --rm -v "$PWD:/work" seatrial check deploy/
#
# kustomize, kubectl and helm, which -k and --helm run, are not in it.
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY . .
ARG TARGETOS TARGETARCH
RUN --mount=type=cache,target=/root/.cache/go-build --mount=type=cache,target=/go/pkg/mod \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH make build

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /src/bin/seatrial /src/bin/seatrial-controlplane /usr/local/bin/
WORKDIR /work
USER nonroot
ENTRYPOINT ["/usr/local/bin/seatrial"]
