package cli

import (
	"errors"
	"io"
	"log/slog"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/msgbrowse/msgbrowse/internal/config"
)

// app is what the commands of one run share. Input and output are on the
// cobra.Command.
type app struct {
	env    Env
	stderr io.Writer
	// log writes to stderr, at log_level once settings was called.
	log   *slog.Logger
	level slog.LevelVar
	// configFile is the --config flag.
	configFile string
}

// settingAnnotation marks a flag that sets a setting, with the setting's key.
const settingAnnotation = "msgbrowse_setting"

// bind makes a flag set the setting key when it is given.
func bind(flags *pflag.FlagSet, flag, key string) {
	if err := flags.SetAnnotation(flag, settingAnnotation, []string{key}); err != nil {
		panic(err) // the flag must be defined before it is bound
	}
}

// settings loads the settings for cmd and sets the log level. A command that
// needs them calls it first; one that does not works without a valid
// configuration.
func (a *app) settings(cmd *cobra.Command) (*config.Config, error) {
	settings, err := a.load(cmd, a.env.Host)
	if err != nil {
		return nil, err
	}
	a.level.Set(settings.LogLevel)
	a.log.Debug("settings loaded", "file", settings.File, "data_dir", settings.DataDir)
	return settings, nil
}

// load finds the settings for cmd on a machine.
func (a *app) load(cmd *cobra.Command, host config.Host) (*config.Config, error) {
	if cmd.Flags().Changed("config") && a.configFile == "" {
		return nil, usage(errors.New("--config needs the path of a file"))
	}
	options := config.Options{File: a.configFile}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		for _, key := range f.Annotations[settingAnnotation] {
			options.Flags = append(options.Flags, config.Flag{Key: key, Name: f.Name, Values: flagValues(f)})
		}
	})
	settings, err := config.Load(host, options)
	if err != nil {
		return nil, usage(err)
	}
	return settings, nil
}

func flagValues(f *pflag.Flag) []string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}
