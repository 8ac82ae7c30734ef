package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"

	"golang.org/x/image/draw"
	"golang.org/x/image/tiff"
)

// drawTIFF makes a JPEG of the first picture of a TIFF file, on white where it
// is transparent.
func drawTIFF(data []byte) (made []byte, err error) {
	defer func() { // a decoder of what strangers write
		if recover() != nil {
			made, err = nil, ErrUnreadable
		}
	}()
	size, err := tiff.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrUnreadable, err)
	}
	if size.Width <= 0 || size.Height <= 0 {
		return nil, ErrUnreadable
	}
	if size.Width > MaxPixels/size.Height {
		return nil, ErrTooLarge
	}
	picture, err := tiff.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrUnreadable, err)
	}
	bounds := fit(picture.Bounds(), longestSide)
	drawn := image.NewRGBA(bounds)
	draw.Draw(drawn, bounds, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.ApproxBiLinear.Scale(drawn, bounds, picture, picture.Bounds(), draw.Over, nil)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, drawn, &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("draw picture: %w", err)
	}
	return b.Bytes(), nil
}

// fit is the size of a picture whose longer side has at most so many pixels.
func fit(r image.Rectangle, longest int) image.Rectangle {
	w, h := r.Dx(), r.Dy()
	if long := max(w, h); long > longest {
		w, h = max(1, w*longest/long), max(1, h*longest/long)
	}
	return image.Rect(0, 0, w, h)
}
