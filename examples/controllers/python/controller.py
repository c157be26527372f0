"""An operator for sites: a ConfigMap with the page of each, and one with its settings.

    controller.py buggy|fixed

It needs nothing but Python. KUBECONFIG names a file that is written as JSON, which is
also YAML, with a token or a client certificate for the API server.
"""

import base64
import json
import os
import signal
import ssl
import sys
import tempfile
import threading
import urllib.error
import urllib.request

SITES = "/apis/example.com/v1"
NAMESPACE = "default"


class Gone(Exception):
    """The API server no longer has what came after a version: list again."""


class API:
    """The API server that KUBECONFIG names."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            try:
                config = json.load(file)
            except json.JSONDecodeError as error:
                raise SystemExit(f"controller.py: {path} is not written as JSON: {error}") from error
        named = lambda kind, name: next(e for e in config[kind + "s"] if e["name"] == name)[kind]
        context = named("context", config["current-context"])
        cluster, user = named("cluster", context["cluster"]), named("user", context["user"])
        self.server = cluster["server"].rstrip("/")
        self.token = user.get("token")
        self.context = None
        if self.server.startswith("https:"):
            authority = cluster.get("certificate-authority-data")
            self.context = ssl.create_default_context(cadata=authority and base64.b64decode(authority).decode())
            if "client-certificate-data" in user:
                with tempfile.NamedTemporaryFile() as pair:
                    for part in ("client-certificate-data", "client-key-data"):
                        pair.write(base64.b64decode(user[part]))
                    pair.flush()
                    self.context.load_cert_chain(pair.name)

    def open(self, method, path, body=None, timeout=60):
        """One request; the answer is read by the caller."""
        headers = {"Accept": "application/json", "Content-Type": "application/json", "User-Agent": "sites"}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server + path, data, headers, method=method)
        return urllib.request.urlopen(request, timeout=timeout, context=self.context)

    def call(self, method, path, body=None):
        with self.open(method, path, body) as answer:
            return json.load(answer)

    def get(self, path):
        """What is at a path; None if there is nothing."""
        try:
            return self.call("GET", path)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise


class Controller:
    """Makes what sites need. secure is how it finds out what is missing."""

    def __init__(self, api, fixed):
        self.api = api
        self.provide = self.provide_fixed if fixed else self.provide_buggy

    # The bug: the first of two objects is taken for both. When the controller ends
    # between the two there is never a second.
    def provide_buggy(self, site):
        if self.has(site, "page"):
            return
        self.create(site, "page")
        self.create(site, "settings")

    def provide_fixed(self, site):
        for child in ("page", "settings"):
            if not self.has(site, child):
                self.create(site, child)

    def reconcile(self, name):
        path = f"{SITES}/namespaces/{NAMESPACE}/sites/{name}"
        site = self.api.get(path)
        if site is None or "deletionTimestamp" in site["metadata"]:
            return
        self.provide(site)
        if not site.get("status", {}).get("published"):
            site["status"] = {"published": True}
            self.api.call("PUT", path + "/status", site)

    def has(self, site, child):
        found = self.api.get(f"/api/v1/namespaces/{NAMESPACE}/configmaps/{site['metadata']['name']}-{child}")
        if found is None:
            return False
        owners = [owner["uid"] for owner in found["metadata"].get("ownerReferences", [])]
        if site["metadata"]["uid"] not in owners:
            raise OSError(f"{found['metadata']['name']} is of an earlier site, and not yet collected")
        return True

    def create(self, site, child):
        owner = {"apiVersion": site["apiVersion"], "kind": site["kind"], "controller": True}
        owner |= {key: site["metadata"][key] for key in ("name", "uid")}
        metadata = {"name": f"{site['metadata']['name']}-{child}", "ownerReferences": [owner]}
        data = {"title": site["spec"]["title"]}
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
        self.api.call("POST", f"/api/v1/namespaces/{NAMESPACE}/configmaps", body)

    def list(self):
        """Reconciles all sites, and returns the version of the list."""
        sites = self.api.call("GET", f"{SITES}/namespaces/{NAMESPACE}/sites")
        for site in sites["items"]:
            self.reconcile(site["metadata"]["name"])
        return sites["metadata"]["resourceVersion"]

    def watch(self, version):
        """Reconciles sites as they change, until the stream ends; returns the last version."""
        query = f"watch=true&allowWatchBookmarks=true&timeoutSeconds=300&resourceVersion={version}"
        with self.api.open("GET", f"{SITES}/namespaces/{NAMESPACE}/sites?{query}", timeout=330) as stream:
            for line in stream:
                event = json.loads(line)
                if event["type"] == "ERROR":
                    raise Gone(event["object"].get("message", ""))
                metadata = event["object"]["metadata"]
                if event["type"] in ("ADDED", "MODIFIED"):
                    self.reconcile(metadata["name"])
                version = metadata["resourceVersion"]
        return version

    def run(self):
        pause, version = 0.05, None
        while True:
            try:
                if version is None:
                    version = self.list()
                version = self.watch(version)
                pause = 0.05
            except (OSError, ValueError, Gone) as error:
                # An answer that did not come, one that was an error, or a version that
                # is too old: all there is to do is to list again, and less and less often.
                print("controller.py:", error, file=sys.stderr, flush=True)
                version = None
                threading.Event().wait(pause)
                pause = min(2 * pause, 5)


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in ("buggy", "fixed"):
        raise SystemExit("usage: controller.py buggy|fixed")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    Controller(API(os.environ["KUBECONFIG"]), sys.argv[1] == "fixed").run()


if __name__ == "__main__":
    main()
