package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Bounds on what is sent and received, in bytes. A vector of 4096 components
// in JSON takes some 90 kB.
const (
	maxRequest     = 8 << 20
	answerOverhead = 64 << 10
	answerPerText  = 256 << 10
	maxRefusal     = 64 << 10
)

// request is the body of POST /embeddings. Floats are asked for because every
// server can send them.
type request struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Format     string   `json:"encoding_format"`
	Dimensions int      `json:"dimensions,omitempty"`
}

// answer is the body of a success. Error is there because some servers say
// 200 when they fail.
type answer struct {
	Data []struct {
		Index     *int   `json:"index"`
		Embedding vector `json:"embedding"`
	} `json:"data"`
	Error json.RawMessage `json:"error"`
}

// send makes one attempt.
func (c *Client) send(ctx context.Context, texts []string) ([][]float32, *Error) {
	body, err := json.Marshal(request{c.options.Model, texts, "float", c.options.Dimensions})
	if err != nil {
		return nil, c.broken("the request could not be written")
	}
	if len(body) > maxRequest {
		return nil, c.tooLarge()
	}
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, c.unreached(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "msgbrowse")
	if c.options.Key != (Key{}) {
		req.Header.Set("Authorization", "Bearer "+c.options.Key.text)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.unreached(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		// A refusal that breaks off is one all the same.
		text, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal))
		e := c.refused(resp.StatusCode, readComplaint(text, c.options.Key, texts))
		e.after = retryAfter(resp.Header, c.options.Now())
		return nil, e
	}
	most := answerOverhead + len(texts)*answerPerText
	text, err := io.ReadAll(io.LimitReader(resp.Body, int64(most)+1))
	switch {
	case err != nil:
		return nil, c.unreached(err)
	case len(text) > most:
		return nil, c.broken(fmt.Sprintf("its answer is larger than %d texts can make it", len(texts)))
	}
	return c.vectors(text, texts)
}

// vectors reads a success and puts its vectors in the order of the texts.
func (c *Client) vectors(body []byte, texts []string) ([][]float32, *Error) {
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		var component *componentError
		if errors.As(err, &component) {
			return nil, c.broken(component.Error())
		}
		return nil, c.broken("its answer is not JSON of the expected form")
	}
	if len(a.Error) > 0 && string(a.Error) != "null" {
		return nil, c.refused(http.StatusInternalServerError, readComplaint(body, c.options.Key, texts))
	}
	if len(a.Data) > len(texts) {
		return nil, c.broken(fmt.Sprintf("it gave %d vectors for %d texts", len(a.Data), len(texts)))
	}
	all := make([][]float32, len(texts))
	for i, item := range a.Data {
		at := i
		switch {
		case item.Index != nil:
			at = *item.Index
		case len(a.Data) < len(texts):
			return nil, c.broken(fmt.Sprintf("it gave %d vectors for %d texts and does not say which", len(a.Data), len(texts)))
		}
		switch {
		case at < 0, at >= len(texts):
			return nil, c.broken(fmt.Sprintf("it gave a vector for text %d of %d", at, len(texts)))
		case all[at] != nil:
			return nil, c.broken(fmt.Sprintf("it gave two vectors for text %d", at))
		}
		all[at] = item.Embedding
	}
	return all, nil
}
