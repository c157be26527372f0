package change

import (
	"strings"
	"testing"
)

// TestSecretPairs: a map that is one text says by its keys that there is a secret in it.
func TestSecretPairs(t *testing.T) {
	for text, want := range map[string]bool{
		"team=core,api_token=x": true, "Authorization=Bearer x": true, "a=1;DB_PASSWORD=y": true, "a=b\x00X-Api-Key=y": true,
		"team=core": false, "token": false, "token=": false, "tokens=3": false, "https://a.example/x?token=": false,
	} {
		if got := secret("label", text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestWords: names as people write them.
func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"dbAPIKey": "db api key", "DB_API_KEY": "db api key", "--tls-private-key": "tls private key", "a.b2Token": "a b token",
	} {
		if got := strings.Join(words(name), " "); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// TestSecretNames: a secret is known by its name, by that of what it is in, and by none of other things that have a
// word of such a name.
func TestSecretNames(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       bool
	}{
		{"DB_PASS", "x", true}, {"redis.pass", "hunter2", true}, {"--db-pass", "hunter2", true}, {"passwords", `["a", "b"]`, true}, {"apiKeys", `["a"]`, true},
		{"credentials", "x", true}, {"token.value", "x", true}, {"tokens[0]", "x", true}, {"users[0].tokens.admin", "x", true}, {"password.plain", "12345", true},
		{"headers.Authorization", "Bearer x", true}, {"headers.Cookie", "a=b", true}, {`headers["Proxy-Authorization"]`, "Basic x", true}, {"auth", "user:x1", true}, {"bearer", "x", true},
		{"bypass", "x", false}, {"passive", "x", false}, {"author", "x", false}, {"compass", "x", false}, {"keys", `["a"]`, false}, {"passenger", "x", false}, {"passes", "3", false},
		{"DB_PASSWORD_FILE", "/x", false}, {"password.file", "/x", false}, {"token.secretName", "x", false}, {"tokens", "4096", false}, {"tokens.perSecond", "5000", false},
		{"tokenLifetime", "1s", false}, {"token.lifetime", "10m", false}, {"password.minLength", "8", false}, {"auth", "basic", false}, {"auth", "true", false}, {"auth.enabled", "true", false},
		{"stripe.api.key", "sk_live_x", true}, {"jwt.signing.key", "abcd", true}, {"encryption.key", "x", true}, {"s3.access.key", "x", true}, {"[api].key", "x", true}, {"a.api.keys", `["a"]`, true}, {"hmacKey", "x", true},
		{"session.key", "x", true}, {"MASTER_KEY", "x", true}, {"hash.salt", "x1", true}, {"cache.key", "c2hvcDEyMzQ1Njc4OTA", true}, {"cache.key", "user-id", false}, {"tls.key", "/etc/tls/server1.pem", false},
		{"match.key", "app.kubernetes.io/v1", false}, {"api.key.enabled", "true", false}, {"api.key.file", "/x", false}, {"api.keys.max", "16", false}, {"api.key", "false", false}, {"hash.salt", "true", false},
		{"two-pass", "false", false}, {"cookie.secure", "true", false}, {"secrets.enabled", "false", false}, {"auth.mode", "basic", false}, {"", "", false},
	} {
		if got := secret(c.path, c.text); got != c.want {
			t.Errorf("%s: %s: %v", c.path, c.text, got)
		}
	}
}

// TestSecretAddresses: an address may have a password, or a query that has one, whatever else is in the text.
func TestSecretAddresses(t *testing.T) {
	for text, want := range map[string]bool{
		"postgres://u:p@h/db": true, "postgres://u:pa,ss@h/db": true, "postgres://u:p;[a]{b}@h/db": true, "postgres://u:p/a#b?@h/db": true, "redis://:p@h": true, "postgres://u:p%zz@h": true,
		"https://h/?access_token=x": true, "postgres://h/db?password=x": true, "postgres://h/db?sslmode=off&password=x#y": true, "mongodb://u:p@a:1,b:2/db": true,
		"http://a:80,http://u:p@b": true, `"amqp://u:p@h"`: true, "https://h/#id_token=x": true, "Authorization: Bearer x": true, `{"password": "x"}`: true, "db:\n  password: x\n": true,
		"--user=a --password=b": true, "serve --db-pass hunter2": true, "exec serve --token 'x' --port 8": true, "serve --no-password x": false, "serve --token --port 8": false, "serve --token-file /x": false,
		"--auth basic": false, "- token x": false, "u:p@tcp(db:3306)/x": true, "DSN=u:p@ss@unix(/x)/y": true, ":p@tcp(h)": true, "u@tcp(db:3306)/x": false, "http://h:80/a@v2": false, "http://a:80,b:90/x@y": false, "postgres://u@h/db": false, "http://[::1]:80/x@y": false, "image: a.example/b:1.2@sha256:abc": false,
		"http://a:80,http://b/y@z": false, "http://token:8080/": false, "https://h/?a=b": false, "level: info": false, "https://h/?password=": false, "{\"password\": \"\"}": false, "u://@h": false, "://": false,
	} {
		if got := secret("label", text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestSecretBesideItsName: a list of names with values says by the name what the value is.
func TestSecretBesideItsName(t *testing.T) {
	all, err := Parse("a.yaml", []byte("env:\n- name: DB_PASSWORD\n  value: hunter2\n- name: LEVEL\n  value: info\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range all {
		got = append(got, s.Value.String())
	}
	if want := "DB_PASSWORD (secret) LEVEL info"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
