package plane

import (
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// writeKubeconfig writes the file by which everyone else reaches the plane.
func (p *Plane) writeKubeconfig() error {
	const name = "seatrial"
	config := api.NewConfig()
	config.Clusters[name] = &api.Cluster{
		Server:                   p.server.Config.Host,
		CertificateAuthorityData: p.options.Credential.Authority,
	}
	config.AuthInfos[name] = &api.AuthInfo{Token: p.options.Credential.Token}
	config.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name}
	config.CurrentContext = name
	return clientcmd.WriteToFile(*config, p.kubeconfig()) // readable by its owner only
}
