// Package credential makes what the parts of one process trust each other by: a
// certificate, a signing key and tokens, new at every start and readable by their
// owner alone.
package credential

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"

	"k8s.io/apiserver/pkg/server"
)

// validity is how long a certificate is good for: no process lives so long.
const validity = 365 * 24 * time.Hour

// Credential is where the files are, and the administrator's token.
type Credential struct {
	// Certificate and Key are the files of the serving certificate, which is its
	// own authority; Authority is its PEM.
	Certificate, Key string
	Authority        []byte
	// SigningKey is the file of the key that signs service account tokens.
	SigningKey string
	// Tokens is the file of the API server's static tokens.
	Tokens string
	// Token is the one of a user in system:masters.
	Token string
}

// New makes the files in a directory.
func New(directory string) (*Credential, error) {
	token, err := Token()
	if err != nil {
		return nil, err
	}
	c := &Credential{
		Certificate: filepath.Join(directory, "server.crt"),
		Key:         filepath.Join(directory, "server.key"),
		SigningKey:  filepath.Join(directory, "service-account.key"),
		Tokens:      filepath.Join(directory, "tokens.csv"),
		Token:       token,
	}
	key, err := newKey(c.Key)
	if err != nil {
		return nil, err
	}
	if _, err := newKey(c.SigningKey); err != nil {
		return nil, err
	}
	if c.Authority, err = certify(key); err != nil {
		return nil, err
	}
	if err := os.WriteFile(c.Certificate, c.Authority, 0o600); err != nil {
		return nil, err
	}
	user := fmt.Sprintf("%s,admin,admin,\"system:masters\"\n", token)
	return c, os.WriteFile(c.Tokens, []byte(user), 0o600)
}

// Token is 128 random bits in hexadecimal.
func Token() (string, error) {
	secret := make([]byte, 16)
	if _, err := rand.Read(secret); err != nil {
		return "", err
	}
	return hex.EncodeToString(secret), nil
}

func newKey(file string) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	block := pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})
	return key, os.WriteFile(file, block, 0o600)
}

// certify makes a certificate that is authority and leaf in one.
func certify(key *ecdsa.PrivateKey) ([]byte, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: "seatrial-controlplane"},
		NotBefore:    now.Add(-time.Hour),
		NotAfter:     now.Add(validity),
		KeyUsage:     x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		// The aggregator shows it to the servers behind it.
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		BasicConstraintsValid: true,
		IsCA:                  true,
		// The server's own connections to itself ask for the last of these names.
		DNSNames:    []string{"localhost", "kubernetes.default.svc", server.LoopbackClientServerNameOverride},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(10, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}
