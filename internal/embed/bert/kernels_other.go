//go:build !amd64

package bert

// fastKernels finds none: there is assembly for amd64 only.
func fastKernels() (*kernels, bool) { return nil, false }
