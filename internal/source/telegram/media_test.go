package telegram

import "testing"

func TestExcuse(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, file, why string }{
		{"not included", "(File not included. Change data exporting settings to download.)", "", "not included in the export"},
		{"unavailable", "(File unavailable, please try again later)", "", "was not available to the export"},
		{"too large, with a name", "a (1).mp4 (File exceeds maximum size. Change data exporting settings to download.)", "a (1).mp4", "larger than the export allowed"},
		{"photo", "(Photo not included. Change data exporting settings to download.)", "", "not included in the export"},
		{"a path", "files/report (File not included).pdf", "", ""},
		{"a path with brackets", "stickers/sticker (3)", "", ""},
		{"another sentence", "(File sent to the moon)", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			file, why, ok := excuse(tt.in)
			if file != tt.file || why != tt.why || ok != (tt.why != "") {
				t.Errorf("excuse(%q) = %q, %q, %t, want %q, %q", tt.in, file, why, ok, tt.file, tt.why)
			}
		})
	}
}
