package llm

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"strconv"
)

// maxDims is more components than any embedding model gives.
const maxDims = 16384

// componentError says what is wrong with a vector.
type componentError struct{ what string }

func (e *componentError) Error() string { return e.what }

// vector reads an embedding, as a list of numbers or as base64 of float32 in
// little-endian order, which servers send unasked. Null, numbers beyond
// float32 and an empty vector are errors; encoding/json would make zeros of
// some of them.
type vector []float32

func (v *vector) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return v.fromBase64(data)
	}
	inner, isList := bytes.CutPrefix(data, []byte("["))
	if !isList {
		return &componentError{"it gave something that is not a vector"}
	}
	inner = bytes.TrimSuffix(inner, []byte("]"))
	n := bytes.Count(inner, []byte(",")) + 1
	if n > maxDims {
		return &componentError{"it gave a vector of more components than any model has"}
	}
	all := make([]float32, 0, n)
	for part := range bytes.SplitSeq(inner, []byte(",")) {
		x, err := strconv.ParseFloat(string(bytes.TrimSpace(part)), 32)
		if err != nil {
			return &componentError{"it gave a vector with something that is not a number"}
		}
		all = append(all, float32(x))
	}
	*v = all
	return nil
}

func (v *vector) fromBase64(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) == 0 || len(raw)%4 != 0 || len(raw)/4 > maxDims {
		return &componentError{"it gave a vector in an encoding that is not known"}
	}
	all := make([]float32, len(raw)/4)
	for i := range all {
		all[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		if x := float64(all[i]); math.IsNaN(x) || math.IsInf(x, 0) {
			return &componentError{"it gave a vector with something that is not a number"}
		}
	}
	*v = all
	return nil
}
