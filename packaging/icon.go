//go:build ignore

// This program draws the icon: a speech bubble with one line marked, as a
// citation is. It writes the vector form for the server and the registry and
// the bitmap that bundles want, all from the same shapes.
//
//	go run icon.go
package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log"
	"os"
	"strings"
)

const (
	grid    = 64  // the shapes' own unit
	size    = 512 // pixels of the bitmap
	samples = 4   // per pixel and direction, for smooth edges
)

// shape is a rounded rectangle, or a polygon when points are given.
type shape struct {
	x, y, w, h, r float64
	points        [][2]float64
	fill          color.RGBA
}

var (
	petrol = color.RGBA{0x1f, 0x4e, 0x5f, 0xff}
	white  = color.RGBA{0xff, 0xff, 0xff, 0xff}
	amber  = color.RGBA{0xf2, 0xa9, 0x3b, 0xff}
)

var shapes = []shape{
	{x: 0, y: 0, w: 64, h: 64, r: 14, fill: petrol},
	{x: 11, y: 13, w: 42, h: 32, r: 6, fill: white},
	{points: [][2]float64{{18, 44}, {18, 54}, {30, 44}}, fill: white},
	{x: 18, y: 20, w: 28, h: 4, r: 2, fill: petrol},
	{x: 18, y: 27, w: 28, h: 4, r: 2, fill: amber},
	{x: 18, y: 34, w: 18, h: 4, r: 2, fill: petrol},
}

func main() {
	svg := []byte(drawSVG())
	write("icon.svg", svg)
	write("../internal/mcp/icon.svg", svg)
	var b bytes.Buffer
	if err := png.Encode(&b, drawBitmap()); err != nil {
		log.Fatal(err)
	}
	write("mcpb/icon.png", b.Bytes())
}

func write(name string, data []byte) {
	if err := os.WriteFile(name, data, 0o644); err != nil {
		log.Fatal(err)
	}
}

func drawSVG() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %[1]d">`, grid)
	for _, s := range shapes {
		fill := fmt.Sprintf("#%02x%02x%02x", s.fill.R, s.fill.G, s.fill.B)
		if s.points == nil {
			fmt.Fprintf(&b, `<rect x="%g" y="%g" width="%g" height="%g" rx="%g" fill="%s"/>`, s.x, s.y, s.w, s.h, s.r, fill)
			continue
		}
		var points []string
		for _, p := range s.points {
			points = append(points, fmt.Sprintf("%g,%g", p[0], p[1]))
		}
		fmt.Fprintf(&b, `<polygon points="%s" fill="%s"/>`, strings.Join(points, " "), fill)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func drawBitmap() image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for py := range size {
		for px := range size {
			img.SetNRGBA(px, py, pixel(px, py))
		}
	}
	return img
}

// pixel averages the samples inside one pixel.
func pixel(px, py int) color.NRGBA {
	var r, g, b, opaque int
	for i := range samples * samples {
		x := (float64(px) + (float64(i%samples)+0.5)/samples) * grid / size
		y := (float64(py) + (float64(i/samples)+0.5)/samples) * grid / size
		if top := topmost(x, y); top.A > 0 {
			r, g, b, opaque = r+int(top.R), g+int(top.G), b+int(top.B), opaque+1
		}
	}
	if opaque == 0 {
		return color.NRGBA{}
	}
	return color.NRGBA{uint8(r / opaque), uint8(g / opaque), uint8(b / opaque), uint8(opaque * 255 / (samples * samples))}
}

// topmost is the colour of the last shape drawn at a point, transparent outside
// of all.
func topmost(x, y float64) color.RGBA {
	var top color.RGBA
	for _, s := range shapes {
		if s.contains(x, y) {
			top = s.fill
		}
	}
	return top
}

func (s shape) contains(x, y float64) bool {
	if s.points == nil {
		dx := max(s.x+s.r-x, x-(s.x+s.w-s.r), 0)
		dy := max(s.y+s.r-y, y-(s.y+s.h-s.r), 0)
		return dx*dx+dy*dy <= s.r*s.r
	}
	inside := false
	for i, j := 0, len(s.points)-1; i < len(s.points); j, i = i, i+1 {
		a, b := s.points[i], s.points[j]
		if (a[1] > y) != (b[1] > y) && x < (b[0]-a[0])*(y-a[1])/(b[1]-a[1])+a[0] {
			inside = !inside
		}
	}
	return inside
}
