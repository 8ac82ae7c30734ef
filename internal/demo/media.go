//go:build ignore

// This program draws the pictures and sets the page of the sample: go
// generate runs it in the folder of package demo.
package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"log"
	"math"
	"os"
	"path/filepath"
	"strings"
)

const width, height = 320, 240

var (
	sky    = color.RGBA{0xCF, 0xE6, 0xF2, 0xFF}
	sea    = color.RGBA{0x2F, 0x6E, 0x91, 0xFF}
	water  = color.RGBA{0xD9, 0xEC, 0xEE, 0xFF}
	land   = color.RGBA{0xE8, 0xDC, 0xB5, 0xFF}
	sepia  = color.RGBA{0xE9, 0xD8, 0xB0, 0xFF}
	brown  = color.RGBA{0x8A, 0x5A, 0x33, 0xFF}
	ginger = color.RGBA{0xE0, 0x92, 0x3F, 0xFF}
	cream  = color.RGBA{0xFA, 0xEF, 0xDD, 0xFF}
	wall   = color.RGBA{0xD8, 0xC8, 0xC0, 0xFF}
	bin    = color.RGBA{0x2B, 0x5F, 0xB3, 0xFF}
	wet    = color.RGBA{0x8E, 0x9A, 0xA6, 0xFF}
	yellow = color.RGBA{0xF2, 0xC4, 0x1D, 0xFF}
	red    = color.RGBA{0xB8, 0x33, 0x2A, 0xFF}
	green  = color.RGBA{0x3F, 0x7D, 0x4E, 0xFF}
	ink    = color.RGBA{0x22, 0x2B, 0x33, 0xFF}
	white  = color.RGBA{0xFF, 0xFF, 0xFF, 0xFF}
)

// pictures names every picture of the sample and how it is drawn. The ending
// of the name decides the format.
var pictures = map[string]func(canvas){
	"sample/signal/HarperQuinn/media/2023-10-21T10-05-36.000_00_biscuit.png":              func(c canvas) { c.fill(cream); c.cat(160, 130) },
	"sample/signal/BoatTrip/media/2024-05-05T10-20-40.000_00_chart.png":                   chart,
	"sample/signal/BoatTrip/media/2024-06-15T14-10-11.000_00_marigold.jpeg":               sloop,
	"sample/zip/WhatsApp Chat - Maple Street 12/00000027-PHOTO-2023-12-01-16-20-59.jpg":   parcel,
	"sample/whatsapp/WhatsApp Chat - Rosa Delgado/00000012-PHOTO-2023-12-25-11-20-52.jpg": func(c canvas) { c.fill(wall); newspaper(c); c.cat(170, 110) },
	"sample/telegram/photos/photo_1@13-05-2024_17-25-10.png":                              framed,
	"sample/telegram/photos/photo_2@29-10-2023_10-05-44.jpeg":                             iceland,
	"sample/telegram/photos/photo_3@11-05-2024_12-30-02.png":                              umbrellas,
	"sample/imessage/attachments/2/101.png":                                               func(c canvas) { c.fill(sky); c.cat(160, 130); c.triangle(90, 200, 230, 200, 160, 150, white) },
	"sample/imessage/attachments/7/214.png":                                               serpent,
}

func main() {
	for name, draw := range pictures {
		c := canvas{image.NewRGBA(image.Rect(0, 0, width, height))}
		draw(c)
		var b bytes.Buffer
		var err error
		if strings.HasSuffix(name, ".png") {
			err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, c)
		} else {
			err = jpeg.Encode(&b, c, &jpeg.Options{Quality: 70})
		}
		write(name, b.Bytes(), err)
	}
	write("sample/signal/HarperQuinn/media/2023-05-08T18-28-10.000_00_lease-draft.pdf", page(
		"RESIDENTIAL LEASE (DRAFT)",
		"",
		"Premises: Maple Street 12, second floor.",
		"Owner: Pike Properties, Desmond Pike.",
		"Tenants: Harper Quinn, Casey Lund.",
		"1. Term: one year from July 1, 2023, then month to month.",
		"2. Rent: 1,640 dollars a month, heat included.",
		"3. Deposit: 2,460 dollars, and 200 dollars for one cat.",
		"4. Notice: two months, in writing.",
		"9. Tenants of the second floor clear the front steps of snow.",
	), nil)
}

func write(name string, data []byte, err error) {
	if err == nil {
		err = os.MkdirAll(filepath.Dir(name), 0o755)
	}
	if err == nil {
		err = os.WriteFile(name, data, 0o644)
	}
	if err != nil {
		log.Fatalf("write %s: %v", name, err)
	}
}

type canvas struct{ *image.RGBA }

func (c canvas) fill(col color.RGBA) { c.rect(0, 0, width, height, col) }

func (c canvas) rect(x0, y0, x1, y1 int, col color.RGBA) {
	c.where(x0, y0, x1, y1, col, func(int, int) bool { return true })
}

func (c canvas) where(x0, y0, x1, y1 int, col color.RGBA, in func(x, y int) bool) {
	for y := max(0, y0); y < min(height, y1); y++ {
		for x := max(0, x0); x < min(width, x1); x++ {
			if in(x, y) {
				c.SetRGBA(x, y, col)
			}
		}
	}
}

func (c canvas) ellipse(cx, cy, rx, ry int, col color.RGBA) {
	c.where(cx-rx, cy-ry, cx+rx+1, cy+ry+1, col, func(x, y int) bool {
		dx, dy := float64(x-cx)/float64(rx), float64(y-cy)/float64(ry)
		return dx*dx+dy*dy <= 1
	})
}

func (c canvas) triangle(ax, ay, bx, by, px, py int, col color.RGBA) {
	side := func(x0, y0, x1, y1, x, y int) int { return (x1-x0)*(y-y0) - (y1-y0)*(x-x0) }
	c.where(min(ax, bx, px), min(ay, by, py), max(ax, bx, px)+1, max(ay, by, py)+1, col, func(x, y int) bool {
		a, b, p := side(ax, ay, bx, by, x, y), side(bx, by, px, py, x, y), side(px, py, ax, ay, x, y)
		return a >= 0 && b >= 0 && p >= 0 || a <= 0 && b <= 0 && p <= 0
	})
}

func (c canvas) line(x0, y0, x1, y1 int, col color.RGBA) {
	steps := max(abs(x1-x0), abs(y1-y0), 1)
	for i := 0; i <= steps; i++ {
		c.SetRGBA(x0+(x1-x0)*i/steps, y0+(y1-y0)*i/steps, col)
	}
}

func abs(n int) int { return max(n, -n) }

func (c canvas) cat(x, y int) {
	c.ellipse(x, y+70, 80, 55, ginger)
	c.triangle(x-52, y-20, x-16, y-40, x-44, y-82, ginger)
	c.triangle(x+52, y-20, x+16, y-40, x+44, y-82, ginger)
	c.ellipse(x, y, 58, 48, ginger)
	c.ellipse(x, y+20, 26, 18, cream)
	c.ellipse(x-22, y-8, 9, 11, green)
	c.ellipse(x+22, y-8, 9, 11, green)
	c.ellipse(x-22, y-8, 3, 10, ink)
	c.ellipse(x+22, y-8, 3, 10, ink)
	c.triangle(x-6, y+10, x+6, y+10, x, y+17, red)
	for i := -1; i <= 1; i++ {
		c.line(x-18, y+20+4*i, x-70, y+16+12*i, ink)
		c.line(x+18, y+20+4*i, x+70, y+16+12*i, ink)
	}
}

func (c canvas) rose(x, y, r int, col color.RGBA) {
	for i := range 8 {
		a := float64(i) * math.Pi / 4
		long := r
		if i%2 == 1 {
			long = r / 2
		}
		tip := func(l int, a float64) (int, int) {
			return x + int(float64(l)*math.Sin(a)), y - int(float64(l)*math.Cos(a))
		}
		tx, ty := tip(long, a)
		sx, sy := tip(r/6, a+math.Pi/2)
		c.triangle(x, y, sx, sy, tx, ty, col)
	}
	c.ellipse(x, y, r/6, r/6, white)
}

func (c canvas) lighthouse(x, y int) {
	c.rect(x-3, y-18, x+4, y, white)
	c.rect(x-3, y-12, x+4, y-7, red)
	c.rect(x-4, y-22, x+5, y-18, yellow)
}

func coast(c canvas, sea, land color.RGBA) {
	c.fill(sea)
	c.where(0, 0, width, height, land, func(x, y int) bool {
		edge := 90 + 28*math.Sin(float64(y)/17) + 14*math.Sin(float64(y)/5.5)
		island := math.Hypot(float64(x-215), 1.4*float64(y-120)) < 40+7*math.Sin(float64(x)/6)
		return float64(x) < edge || island
	})
}

func chart(c canvas) {
	coast(c, water, land)
	for i := 1; i < 4; i++ {
		c.line(i*80, 0, i*80, height, sky)
		c.line(0, i*60, width, i*60, sky)
	}
	c.rose(275, 45, 34, ink)
	for _, at := range [...][2]int{{100, 52}, {84, 130}, {112, 205}, {236, 108}} {
		c.lighthouse(at[0], at[1])
	}
}

func sloop(c canvas) {
	c.fill(sky)
	c.rect(0, 150, width, height, sea)
	c.triangle(160, 30, 160, 140, 235, 140, white)
	c.triangle(152, 44, 152, 140, 100, 140, cream)
	c.rect(155, 24, 158, 152, brown)
	c.triangle(80, 148, 250, 148, 110, 180, red)
	c.triangle(250, 148, 110, 180, 225, 180, red)
	for y := 165; y < height; y += 18 {
		for x := y % 40; x < width; x += 60 {
			c.line(x, y, x+22, y, water)
		}
	}
}

func parcel(c canvas) {
	c.fill(wall)
	for y := 0; y < 180; y += 15 {
		c.line(0, y, width, y, white)
		for x := y / 15 % 2 * 15; x < width; x += 30 {
			c.line(x, y, x, y+15, white)
		}
	}
	c.rect(0, 180, width, height, wet)
	c.rect(150, 150, 270, 205, brown)
	c.line(150, 178, 270, 178, cream)
	c.line(210, 150, 210, 205, cream)
	c.rect(70, 80, 170, 215, bin)
	c.rect(62, 70, 178, 84, ink)
}

func newspaper(c canvas) {
	c.rect(40, 150, 290, 230, white)
	for y := 160; y < 226; y += 8 {
		c.line(50, y, 280, y, wet)
	}
}

func framed(c canvas) {
	chart(c)
	c.where(0, 0, width, height, brown, func(x, y int) bool {
		return x < 14 || x >= width-14 || y < 14 || y >= height-14
	})
}

func iceland(c canvas) {
	coast(c, sepia, color.RGBA{0xC9, 0xAE, 0x77, 0xFF})
	c.rose(240, 60, 44, brown)
	c.ellipse(236, 57, 1, 2, ink)
	c.ellipse(244, 57, 1, 2, ink)
}

func umbrellas(c canvas) {
	c.fill(wet)
	c.rect(0, 170, width, height, sea)
	for i, col := range [...]color.RGBA{green, yellow, red, bin} {
		x := 50 + 73*i
		c.rect(x-1, 100, x+2, 200, ink)
		c.where(x-34, 66, x+35, 102, col, func(px, py int) bool { return math.Hypot(float64(px-x), float64(py-101)) < 34 })
	}
	for i := range 90 {
		x, y := i*53%width, i*37%height
		c.line(x, y, x-3, y+9, sky)
	}
}

func serpent(c canvas) {
	coast(c, water, land)
	for x := 140; x < 300; x++ {
		y := 190 + int(16*math.Sin(float64(x)/11))
		c.ellipse(x, y, 3, 3, green)
	}
	c.ellipse(302, 180, 9, 7, green)
	c.ellipse(304, 178, 1, 1, ink)
}

// page sets lines on one page of PDF 1.4.
func page(lines ...string) []byte {
	var text strings.Builder
	text.WriteString("BT /F1 12 Tf 18 TL 72 720 Td\n")
	for _, l := range lines {
		l = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(l)
		fmt.Fprintf(&text, "(%s) Tj T*\n", l)
	}
	text.WriteString("ET\n")
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%sendstream", text.Len(), text.String()),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, o := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, xref)
	return b.Bytes()
}
