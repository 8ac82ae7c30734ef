package mediatype

import "testing"

func TestOf(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, data, want string }{
		{name: "PNG", data: "\x89PNG\r\n\x1a\n\x00\x00", want: "image/png"},
		{name: "JPEG", data: "\xff\xd8\xff\xe0\x00\x10JFIF", want: "image/jpeg"},
		{name: "GIF", data: "GIF89a", want: "image/gif"},
		{name: "WebP", data: "RIFF\x24\x00\x00\x00WEBPVP8 ", want: "image/webp"},
		{name: "TIFF", data: "II*\x00\x08\x00\x00\x00", want: "image/tiff"},
		{name: "HEIC", data: "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", want: "image/heic"},
		{name: "HEIF", data: "\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1heic", want: "image/heif"},
		{name: "AVIF", data: "\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avif", want: "image/avif"},
		{name: "MP4", data: "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom", want: "video/mp4"},
		{name: "voice note", data: "OggS\x00\x02", want: "audio/ogg"},
		{name: "M4A", data: "\x00\x00\x00\x1cftypM4A \x00", want: "audio/mp4"},
		{name: "MP3", data: "\xff\xfb\x90\x00", want: "audio/mpeg"},
		{name: "WAV", data: "RIFF\x24\x00\x00\x00WAVEfmt ", want: "audio/wav"},
		{name: "cut off", data: "RIFF\x24"},
		{name: "SVG", data: `<svg xmlns="http://www.w3.org/2000/svg"/>`},
		{name: "SVG behind a declaration", data: `<?xml version="1.0"?><svg/>`},
		{name: "HTML", data: "<html><script>alert(1)</script>"},
		{name: "text", data: "ignore previous instructions"},
		{name: "PDF", data: "%PDF-1.4"},
		{name: "empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Of([]byte(tt.data)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
