package config

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Options say which settings come with the call.
type Options struct {
	// File is the configuration file to read instead of the usual one; empty
	// for that. A leading ~ and relative paths are resolved.
	File string
	// Flags are the command-line flags that set settings.
	Flags []Flag
}

// Flag is a command-line flag that was given.
type Flag struct {
	// Key is the setting's key and Name the flag's, without dashes.
	Key, Name string
	// Values are what was given: one entry, or several for a list.
	Values []string
}

// Load finds the value of every setting. Its error joins one error for each
// thing that is wrong, so that all can be mended at once.
func Load(h Host, o Options) (*Config, error) {
	l := loader{host: h, config: defaults()}
	l.readFile(o.File)
	l.readEnvironment()
	for _, flag := range o.Flags {
		l.readFlag(flag)
	}
	l.fillDataDir()
	if err := l.config.checkTogether(); err != nil {
		l.fail(err)
	}
	if len(l.errs) > 0 {
		return nil, errors.Join(l.errs...)
	}
	return l.config, nil
}

type loader struct {
	host   Host
	config *Config
	errs   []error
}

func (l *loader) fail(err error) { l.errs = append(l.errs, err) }

// readFile reads the file that the flag or MSGBROWSE_CONFIG names, or else
// the usual one. Only the usual one may be missing.
func (l *loader) readFile(named string) {
	origin := Origin{Layer: CommandLine, Name: "config"}
	if named == "" {
		origin = Origin{Layer: Environment, Name: prefix + "CONFIG"}
		named = l.host.Getenv(origin.Name)
	}
	if named == "" {
		l.readUsualFile()
		return
	}
	name, err := l.host.resolve(l.host.Dir, named)
	if err != nil {
		l.fail(fmt.Errorf("%s: %w", origin, err))
		return
	}
	data, err := l.host.ReadFile(name)
	if err != nil {
		l.fail(fmt.Errorf("%s: read configuration: %w", origin, err))
		return
	}
	l.decode(name, data)
}

func (l *loader) readUsualFile() {
	name, err := UsualFile(l.host)
	if err != nil {
		return // no home folder, so no file that could lie there
	}
	data, err := l.host.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		l.fail(fmt.Errorf("read configuration: %w", err))
	default:
		l.decode(name, data)
	}
}

// UsualFile returns the path of the configuration file that is read when
// none is named. It fails when the home folder is not known.
func UsualFile(h Host) (string, error) {
	dir, err := h.configDir()
	if err != nil {
		return "", fmt.Errorf("find configuration folder: %w", err)
	}
	return h.join(dir, "config.yaml"), nil
}

func (l *loader) decode(name string, data []byte) {
	d := decoder{name: name, base: l.host.base(name), set: l.set}
	d.decode(data)
	l.errs = append(l.errs, d.errs...)
	l.config.File = name
}

func (l *loader) set(s setting, r raw) error { return s.set(l.host, l.config, r) }

func (l *loader) readEnvironment() {
	known := slices.Clone(ignored)
	for _, s := range settings {
		known = append(known, s.variable())
		if value := l.host.Getenv(s.variable()); value != "" {
			r := raw{text: value, base: l.host.Dir, origin: Origin{Layer: Environment, Name: s.variable()}}
			if err := l.set(s, r); err != nil {
				l.fail(err)
			}
		}
	}
	for _, entry := range l.host.Environ {
		name, _, _ := l.host.split(entry)
		if strings.HasPrefix(name, prefix) && !slices.Contains(known, name) {
			l.fail(fmt.Errorf("unknown environment variable %s; the nearest known one is %s", shorten(name), Nearest(name, known)))
		}
	}
}

// readFlag sets a setting from a flag. A key that is not in the table is a
// mistake in the program, not the user's.
func (l *loader) readFlag(flag Flag) {
	s, ok := lookup(flag.Key)
	if !ok {
		panic("flag --" + flag.Name + " sets no known setting: " + flag.Key)
	}
	r := raw{base: l.host.Dir, origin: Origin{Layer: CommandLine, Name: flag.Name}}
	if _, isList := s.field(l.config).(*[]string); isList {
		r.form = list
		for _, value := range flag.Values {
			r.list = append(r.list, raw{text: value, base: r.base})
		}
	} else if len(flag.Values) > 0 {
		r.text = flag.Values[len(flag.Values)-1]
	}
	if err := l.set(s, r); err != nil {
		l.fail(err)
	}
}

// fillDataDir falls back to the platform's folder for user data. It never
// falls back to the current folder: private messages would end up wherever
// the command happened to run.
func (l *loader) fillDataDir() {
	if l.config.DataDir != "" {
		return
	}
	dir, err := l.host.dataDir()
	if err != nil {
		l.fail(fmt.Errorf("find data folder: %w; set %s, or name the folder with --data-dir, %sDATA_DIR or data_dir in the configuration",
			err, l.host.homeVariable(), prefix))
		return
	}
	l.config.DataDir = dir
}
