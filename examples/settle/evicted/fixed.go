package evicted

import corev1 "k8s.io/api/core/v1"

// Fixed counts what runs, or may run some time.
func Fixed(p *corev1.Pod) bool { return p.Status.Phase != corev1.PodFailed }
