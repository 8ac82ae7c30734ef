package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestDescribe(t *testing.T) {
	t.Parallel()
	platform := ", " + runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH
	vcs := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.modified", Value: "true"}}
	for _, tt := range []struct {
		name    string
		release string
		info    *debug.BuildInfo
		want    string
	}{
		{"nothing known", "", nil, "msgbrowse devel"},
		{"release", "v1.2.3", nil, "msgbrowse v1.2.3"},
		{"go install", "", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "msgbrowse v1.2.3"},
		{"go build", "", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: vcs}, "msgbrowse devel (0123456789ab, modified)"},
		{"release wins", "v2.0.0", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: vcs[:1]}, "msgbrowse v2.0.0 (0123456789ab)"},
		{"short revision", "", &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "r1"}}}, "msgbrowse devel (r1)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := describe(tt.release, tt.info).String(); got != tt.want+platform {
				t.Errorf("got %q, want %q", got, tt.want+platform)
			}
		})
	}
}
