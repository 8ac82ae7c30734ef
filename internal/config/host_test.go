package config

import "testing"

func TestFolders(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name       string
		host       Host
		data, file string
	}{
		{"Linux", Host{GOOS: "linux", Home: "/home/ana"},
			"/home/ana/.local/share/msgbrowse", "/home/ana/.config/msgbrowse/config.yaml"},
		{"Linux with XDG folders", Host{GOOS: "linux", Home: "/home/ana", Environ: []string{"XDG_DATA_HOME=/d", "XDG_CONFIG_HOME=/c/"}},
			"/d/msgbrowse", "/c/msgbrowse/config.yaml"},
		{"Linux with relative XDG folders", Host{GOOS: "linux", Home: "/home/ana", Environ: []string{"XDG_DATA_HOME=d", "XDG_CONFIG_HOME=."}},
			"/home/ana/.local/share/msgbrowse", "/home/ana/.config/msgbrowse/config.yaml"},
		{"XDG folders without a home", Host{GOOS: "linux", Environ: []string{"XDG_DATA_HOME=/d", "XDG_CONFIG_HOME=/c"}},
			"/d/msgbrowse", "/c/msgbrowse/config.yaml"},
		{"macOS", Host{GOOS: "darwin", Home: "/Users/ana", Environ: []string{"XDG_DATA_HOME=/d", "XDG_CONFIG_HOME=/c"}},
			"/Users/ana/Library/Application Support/msgbrowse", "/Users/ana/Library/Application Support/msgbrowse/config.yaml"},
		{"Windows", Host{GOOS: "windows", Home: `C:\Users\ana`, Environ: []string{`LocalAppData=D:\Local`, `AppData=D:\Roaming`}},
			`D:\Local\msgbrowse`, `D:\Roaming\msgbrowse\config.yaml`},
		{"Windows without folders", Host{GOOS: "windows", Home: `C:\Users\ana`},
			`C:\Users\ana\AppData\Local\msgbrowse`, `C:\Users\ana\AppData\Roaming\msgbrowse\config.yaml`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			data, err := tt.host.dataDir()
			if err != nil || data != tt.data {
				t.Errorf("data folder = %q, %v, want %q", data, err, tt.data)
			}
			file, err := UsualFile(tt.host)
			if err != nil || file != tt.file {
				t.Errorf("configuration file = %q, %v, want %q", file, err, tt.file)
			}
		})
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	linux := Host{GOOS: "linux", Home: "/home/ana"}
	windows := Host{GOOS: "windows", Home: `C:\Users\ana`}
	for _, tt := range []struct {
		name             string
		host             Host
		base, path, want string
	}{
		{"absolute", linux, "/b", "/x/../y/", "/y"},
		{"relative", linux, "/b", "x/./y", "/b/x/y"},
		{"upwards", linux, "/b/c", "../x", "/b/x"},
		{"home", linux, "/b", "~", "/home/ana"},
		{"below home", linux, "/b", "~/x", "/home/ana/x"},
		{"a name that begins with a tilde", linux, "/b", "~x", "/b/~x"},
		{"backslash is a character", linux, "/b", `~\x`, `/b/~\x`},
		{"Windows absolute", windows, `C:\b`, `D:\x\..\y`, `D:\y`},
		{"Windows slashes", windows, `C:\b`, `D:/x/y`, `D:\x\y`},
		{"Windows relative", windows, `C:\b`, `x\y`, `C:\b\x\y`},
		{"Windows home", windows, `C:\b`, `~\x`, `C:\Users\ana\x`},
		{"Windows share", windows, `C:\b`, `\\nas\share\x`, `\\nas\share\x`},
		{"relative to a share", windows, `\\nas\share`, `x`, `\\nas\share\x`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := tt.host.resolve(tt.base, tt.path)
			if err != nil || got != tt.want {
				t.Errorf("resolve(%q, %q) = %q, %v, want %q", tt.base, tt.path, got, err, tt.want)
			}
		})
	}
}

func TestResolveNeedsDrive(t *testing.T) {
	t.Parallel()
	h := Host{GOOS: "windows", Home: `C:\Users\ana`}
	for _, path := range []string{`\x`, `/x`, `D:x`, `D:`} {
		if got, err := h.resolve(`C:\b`, path); err == nil {
			t.Errorf("resolve(%q) = %q, want an error", path, got)
		}
	}
}

func TestWindowsEnvironment(t *testing.T) {
	t.Parallel()
	c := load(t, Host{
		GOOS: "windows", Home: `C:\Users\ana`, Dir: `C:\work`, ReadFile: host(nil).ReadFile,
		Environ: []string{`=C:=C:\work`, `Msgbrowse_Data_Dir=D:\archive`, `MSGBROWSE_ARCHIVE_ROOT=C:\a;x`},
	}, Options{})
	if c.DataDir != `D:\archive` {
		t.Errorf("data_dir = %q, want %q", c.DataDir, `D:\archive`)
	}
	if got := c.ArchiveRoot; len(got) != 2 || got[0] != `C:\a` || got[1] != `C:\work\x` {
		t.Errorf("archive_root = %q, want the two paths", got)
	}
}
