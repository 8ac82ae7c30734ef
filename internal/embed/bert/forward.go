package bert

import (
	"context"
	"math"
)

// forward computes one vector for each text of the scratch, into to, which
// has the model's length for each. It gives up between layers when ctx ends.
func (m *Model) forward(ctx context.Context, s *scratch, to [][]float32) error {
	s.reset(m.parts)
	m.embedTokens(s)
	for i := range m.parts.layerParts {
		if err := ctx.Err(); err != nil {
			return err
		}
		l := &m.parts.layerParts[i]
		m.multiplyRows(s, &l.qkv, s.qkv, s.x, len(s.ids))
		m.attention(s)
		m.finishLayer(s, l)
	}
	for i, vector := range to {
		m.pool(vector, s.x[s.starts[i]*m.parts.hidden:s.starts[i+1]*m.parts.hidden])
	}
	return nil
}

// embedTokens starts every token's row with what its word and its position
// mean.
func (m *Model) embedTokens(s *scratch) {
	hidden := m.parts.hidden
	position := s.qkv[:hidden] // not needed yet
	for t := range s.starts[1:] {
		for i := s.starts[t]; i < s.starts[t+1]; i++ {
			row := s.x[i*hidden : (i+1)*hidden]
			clear(row)
			clear(position)
			m.parts.wordRows.add(row, int(s.ids[i]))
			m.parts.positions.add(position, i-s.starts[t])
			m.kernels.addNorm(row, row, position, m.parts.norm.gamma, m.parts.norm.beta, m.parts.eps)
		}
	}
}

// finishLayer does what a layer does after its attention, which concerns
// every token by itself, some rows at a time.
func (m *Model) finishLayer(s *scratch, l *layer) {
	hidden, ffn := m.parts.hidden, m.parts.ffn
	for from := 0; from < len(s.ids); from += chunkRows {
		rows := min(chunkRows, len(s.ids)-from)
		x := s.x[from*hidden : (from+rows)*hidden]
		m.multiplyRows(s, &l.out, s.y, s.attended[from*hidden:], rows)
		m.addNormRows(x, s.y, &l.afterAttention)
		m.multiplyRows(s, &l.up, s.inner, x, rows)
		m.kernels.gelu(s.inner[:rows*ffn])
		m.multiplyRows(s, &l.down, s.y, s.inner, rows)
		m.addNormRows(x, s.y, &l.afterFFN)
	}
}

func (m *Model) addNormRows(x, y []float32, n *norm) {
	hidden := m.parts.hidden
	for i := 0; i < len(x); i += hidden {
		row := x[i : i+hidden]
		m.kernels.addNorm(row, row, y[i:i+hidden], n.gamma, n.beta, m.parts.eps)
	}
}

// multiplyRows applies a linear to rows of from. The rows of to must have
// space up to the next multiple of blockRows, where garbage is left.
func (m *Model) multiplyRows(s *scratch, l *linear, to, from []float32, rows int) {
	k, n := l.inputs, l.outputs
	for r := range rows {
		s.rowScales[r], s.rowZeros[r] = m.kernels.quantize(s.quantized[r*k:(r+1)*k], from[r*k:(r+1)*k], l.factors)
	}
	padded := roundUp(rows, blockRows)
	clear(s.quantized[rows*k : padded*k])
	clear(s.rowScales[rows:padded])
	clear(s.rowZeros[rows:padded])
	for i := range l.panels {
		for r := 0; r < padded; r += blockRows {
			m.kernels.multiply(to[r*n+i*panelWidth:padded*n], n, s.quantized[r*k:(r+blockRows)*k], k, s.rowScales[r:r+blockRows], s.rowZeros[r:r+blockRows], &l.panels[i])
		}
	}
}

// pool makes one vector of a text's rows.
func (m *Model) pool(to, rows []float32) {
	if m.parts.firstToken {
		copy(to, rows)
	} else {
		clear(to)
		for i := 0; i < len(rows); i += len(to) {
			for j, v := range rows[i : i+len(to)] {
				to[j] += v
			}
		}
	}
	var squares float64
	for _, v := range to {
		squares += float64(v) * float64(v)
	}
	factor := float32(1 / math.Sqrt(squares))
	for i := range to {
		to[i] *= factor
	}
}
