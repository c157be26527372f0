package value

import (
	"crypto/ed25519"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"sync"
	"time"
)

// certificate is a certificate of its own and its key, as PEM, always the same: what Secrets
// of certificates hold, for programs that look into them. It is no secret of anybody.
var certificate = sync.OnceValue(func() [2]string {
	key := ed25519.NewKeyFromSeed([]byte("seatrial: this is not a secret! "))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(17), Subject: pkix.Name{CommonName: "seatrial"}, DNSNames: []string{"localhost", "*.example.com"},
		NotBefore: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2120, 1, 1, 0, 0, 0, 0, time.UTC),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
	}
	own, err := x509.CreateCertificate(nil, template, template, key.Public(), key)
	if err != nil {
		return [2]string{}
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return [2]string{}
	}
	text := func(kind string, bytes []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}))
	}
	return [2]string{text("CERTIFICATE", own), text("PRIVATE KEY", private)}
})
