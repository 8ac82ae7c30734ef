// Package folder embeds text with a static model that the owner has: a folder
// in the format of model2vec, with one vector for each piece of text. A
// text's vector is the mean of those of its pieces.
package folder

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/msgbrowse/msgbrowse/internal/embed"
	"github.com/msgbrowse/msgbrowse/internal/embed/wordpiece"
)

// The files of a model.
const (
	tensorFile    = "model.safetensors"
	tokenizerFile = "tokenizer.json"
	configFile    = "config.json"
)

// Bounds on the files that are read whole, in bytes. The tokenizer of half a
// million pieces is 20 MB large.
const (
	maxTokenizer = 256 << 20
	maxConfig    = 1 << 20
)

// usualLength is how many pieces of a text count unless the model says
// otherwise, as in model2vec.
const usualLength = 512

// tokenizer cuts text into pieces.
type tokenizer interface {
	// Append appends at most limit pieces of a text.
	Append(ids []int32, text string, limit int) []int32
	// Unknown is the piece that stands for what is none, or negative.
	Unknown() int32
	// Size is one more than the greatest piece.
	Size() int
}

// Embedder is an embed.Embedder that looks vectors up in the model's file.
// It keeps the pieces of text in memory and the file open: several processes
// share what the system has read of it.
type Embedder struct {
	file        *os.File
	table       tensor
	weights     []float64 // of each piece; nil for 1
	mapping     []float64 // of each piece, its row; nil for the same number
	tokenizer   tokenizer
	maxPieces   int
	maxRunes    int
	fingerprint string
}

var _ embed.Embedder = (*Embedder)(nil)

// Open reads the model in a folder. Vectors get length 1 whatever its
// configuration says, as embed.Embedder wants them, which changes no angle.
func Open(dir string) (*Embedder, error) {
	e, err := open(dir)
	if err != nil {
		return nil, fmt.Errorf("open the model in %s: %w; set embeddings.folder to the folder of a model2vec model, which holds %s, %s and %s",
			dir, err, tensorFile, tokenizerFile, configFile)
	}
	return e, nil
}

func open(dir string) (*Embedder, error) {
	file, err := os.Open(filepath.Join(dir, tensorFile))
	if err != nil {
		return nil, plain(tensorFile, err)
	}
	e := &Embedder{file: file}
	if err := e.read(dir); err != nil {
		_ = file.Close()
		return nil, err
	}
	return e, nil
}

// Close closes the model's file.
func (e *Embedder) Close() error { return e.file.Close() }

func (e *Embedder) read(dir string) error {
	config, err := readFile(dir, configFile, maxConfig)
	if err != nil {
		return err
	}
	text, err := readFile(dir, tokenizerFile, maxTokenizer)
	if err != nil {
		return err
	}
	info, err := e.file.Stat()
	if err != nil {
		return plain(tensorFile, err)
	}
	if err := e.readTensors(info.Size()); err != nil {
		return fmt.Errorf("%s: %w", tensorFile, err)
	}
	lengths, err := e.readTokenizer(text)
	if err != nil {
		return fmt.Errorf("%s: %w", tokenizerFile, err)
	}
	if err := e.readConfig(config, lengths); err != nil {
		return fmt.Errorf("%s: %w", configFile, err)
	}
	sum := sha256.New()
	for _, part := range [][]byte{config, text} {
		fmt.Fprintf(sum, "%d ", len(part))
		sum.Write(part)
	}
	if err := sample(sum, e.file, info.Size()); err != nil {
		return plain(tensorFile, err)
	}
	e.fingerprint = fmt.Sprintf("folder-%x", sum.Sum(nil)[:16])
	return nil
}

func (e *Embedder) readTensors(size int64) error {
	all, err := tensors(e.file, size)
	if err != nil {
		return err
	}
	table, ok := all["embeddings"]
	if !ok || table.dims < 2 || table.kind == "I64" || table.kind == "I32" {
		return errors.New(`there is no tensor "embeddings" of F64, F32, F16 or I8`)
	}
	e.table = table
	for name, to := range map[string]*[]float64{"weights": &e.weights, "mapping": &e.mapping} {
		t, ok := all[name]
		if !ok {
			continue
		}
		if t.dims != 1 {
			return fmt.Errorf("the tensor %q is not a list", name)
		}
		if *to, err = t.list(); err != nil {
			return err
		}
	}
	for _, row := range e.mapping {
		if row < 0 || row >= float64(table.rows) {
			return fmt.Errorf("the mapping leads to row %v of %d", row, table.rows)
		}
	}
	return nil
}

// readTokenizer also returns the length of each piece, in characters.
func (e *Embedder) readTokenizer(text []byte) ([]int, error) {
	var shape struct {
		Normalizer   json.RawMessage `json:"normalizer"`
		PreTokenizer json.RawMessage `json:"pre_tokenizer"`
		Model        json.RawMessage `json:"model"`
	}
	var model struct {
		Type       string          `json:"type"`
		Vocabulary json.RawMessage `json:"vocab"`
	}
	err := json.Unmarshal(text, &shape)
	if err == nil {
		err = json.Unmarshal(shape.Model, &model)
	}
	if err != nil {
		return nil, errors.New("it is not the JSON that describes a tokenizer")
	}
	var lengths []int
	switch model.Type {
	case "WordPiece":
		if e.tokenizer, err = wordpiece.FromJSON(text); err != nil {
			return nil, err
		}
		var pieces map[string]int32
		if err := json.Unmarshal(model.Vocabulary, &pieces); err != nil {
			return nil, errors.New("the vocabulary cannot be read")
		}
		for piece := range pieces {
			lengths = append(lengths, utf8.RuneCountInString(piece))
		}
	case "Unigram":
		u, err := newUnigram(shape.Model, shape.Normalizer, shape.PreTokenizer)
		if err != nil {
			return nil, err
		}
		for piece := range u.ids {
			lengths = append(lengths, utf8.RuneCountInString(piece))
		}
		e.tokenizer = u
	default:
		return nil, fmt.Errorf("its type is %.40q; WordPiece and Unigram are supported", model.Type)
	}
	size := e.tokenizer.Size()
	for _, list := range [][]float64{e.weights, e.mapping} {
		if list != nil && len(list) < size {
			return nil, fmt.Errorf("it has %d pieces, of which the model knows only %d", size, len(list))
		}
	}
	if e.mapping == nil && e.table.rows < size {
		return nil, fmt.Errorf("it has %d pieces, of which the model knows only %d", size, e.table.rows)
	}
	return lengths, nil
}

// readConfig reads how much of a text counts: so many pieces, of so many
// characters as that many pieces of middling length have.
func (e *Embedder) readConfig(text []byte, lengths []int) error {
	var config struct {
		MaxLength json.RawMessage `json:"max_length"`
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return errors.New("it is not JSON of the expected form")
	}
	e.maxPieces = usualLength
	switch string(config.MaxLength) {
	case "":
	case "null":
		e.maxPieces = math.MaxInt32
	default:
		if err := json.Unmarshal(config.MaxLength, &e.maxPieces); err != nil || e.maxPieces < 1 || e.maxPieces > math.MaxInt32 {
			return fmt.Errorf("max_length is %.20s, which is not a number of pieces", config.MaxLength)
		}
	}
	slices.Sort(lengths)
	middle := len(lengths) / 2
	median := (lengths[(len(lengths)-1)/2] + lengths[middle]) / 2
	e.maxRunes = min(e.maxPieces*max(median, 1), math.MaxInt32)
	return nil
}

// Fingerprint is derived from the tokenizer, the configuration and a sample
// of the vectors.
func (e *Embedder) Fingerprint() string { return e.fingerprint }

// Dims implements embed.Embedder.
func (e *Embedder) Dims() int { return e.table.dims }

// EmbedQuery implements embed.Embedder; a query is a text like any other.
func (e *Embedder) EmbedQuery(ctx context.Context, query string) ([]float32, error) {
	all, err := e.Embed(ctx, []string{query})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// Embed implements embed.Embedder.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	all := make([][]float32, len(texts))
	buffer := make([]byte, e.table.rowSize())
	sum := make([]float64, e.table.dims)
	var ids []int32
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		clear(sum)
		ids = e.tokenizer.Append(ids[:0], embed.Clip(text, e.maxRunes), e.maxPieces)
		for _, id := range ids {
			if id == e.tokenizer.Unknown() {
				continue
			}
			row, weight := int(id), 1.0
			if e.weights != nil {
				weight = e.weights[id]
			}
			if e.mapping != nil {
				row = int(e.mapping[id])
			}
			if err := e.table.add(sum, row, weight, buffer); err != nil {
				return nil, fmt.Errorf("%s: %w", e.file.Name(), err)
			}
		}
		if !embed.Normalise(sum) {
			return nil, fmt.Errorf("%s holds vectors with something that is not a number; get the model again", e.file.Name())
		}
		all[i] = make([]float32, len(sum))
		for d, x := range sum {
			all[i][d] = float32(x)
		}
	}
	return all, nil
}

// readFile reads one of the model's files, if it is not larger than allowed.
func readFile(dir, name string, most int64) ([]byte, error) {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return nil, plain(name, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return nil, plain(name, err)
	case int64(len(text)) > most:
		return nil, fmt.Errorf("%s is larger than %d MB", name, most>>20)
	}
	return text, nil
}

// plain says what is wrong with a file without its whole path.
func plain(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("read %s: %w", name, err)
}

// sample hashes a file's size, beginning and blocks evenly spread over it:
// reading half a gigabyte at every start would take a second, and a model
// that was trained anew differs everywhere.
func sample(to hash.Hash, file io.ReaderAt, size int64) error {
	const blocks, length = 64, 4096
	fmt.Fprintf(to, "%d ", size)
	buffer := make([]byte, length)
	for i := range int64(blocks) {
		n, err := file.ReadAt(buffer, size/blocks*i)
		if err != nil && err != io.EOF {
			return err
		}
		to.Write(buffer[:n])
	}
	return nil
}
