package bert

import "math"

// attention mixes, for each text by itself, the values of its tokens. No
// text sees another, and none is padded to the length of another.
func (m *Model) attention(s *scratch) {
	for t := range s.starts[1:] {
		for head := range m.parts.heads {
			m.attendHead(s, s.starts[t], s.starts[t+1], head)
		}
	}
}

// attendHead computes one head for the tokens from start to end.
func (m *Model) attendHead(s *scratch, start, end, head int) {
	hidden := m.parts.hidden
	d := hidden / m.parts.heads
	stride := 3 * hidden
	n := end - start
	padded := roundUp(n, laneWidth)
	qkv := s.qkv[start*stride : end*stride]
	keys, scores := s.keys[:d*padded], s.scores[:padded]
	transpose(keys, qkv[hidden+head*d:], n, stride, d, padded)
	for i := range n {
		m.kernels.attend(scores, qkv[i*stride+head*d:i*stride+(head+1)*d], keys, padded)
		for j := n; j < padded; j++ {
			scores[j] = -math.MaxFloat32 // no share for what is not there
		}
		m.kernels.softmax(scores)
		to := s.attended[(start+i)*hidden+head*d : (start+i)*hidden+(head+1)*d]
		m.kernels.mix(to, scores[:n], qkv[2*hidden+head*d:], stride)
	}
}

// transpose writes n rows of d values as d rows of n, each padded.
func transpose(to, from []float32, n, stride, d, padded int) {
	for i := range d {
		row := to[i*padded : (i+1)*padded]
		for j := range n {
			row[j] = from[j*stride+i]
		}
		clear(row[n:])
	}
}
