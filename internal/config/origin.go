package config

import "strconv"

// Layer says which kind of place a value comes from. A higher layer wins.
type Layer uint8

// The layers, weakest first.
const (
	Default Layer = iota
	File
	Environment
	CommandLine
)

// Origin is where a setting's value comes from.
type Origin struct {
	Layer Layer
	// Name is the file's path, the variable's name or the flag's name; empty
	// for Default.
	Name string
	// Line is the 1-based line in a File, else 0.
	Line int
}

// String returns "default", "path:line", "MSGBROWSE_X" or "--flag".
func (o Origin) String() string {
	switch o.Layer {
	case File:
		if o.Line == 0 {
			return o.Name
		}
		return o.Name + ":" + strconv.Itoa(o.Line)
	case Environment:
		return o.Name
	case CommandLine:
		return "--" + o.Name
	default:
		return "default"
	}
}

// Value is one setting as it is in force.
type Value struct {
	// Key is the dotted key, Variable its environment variable.
	Key, Variable string
	// Doc says in one line what the setting does.
	Doc string
	// Value is a string, a []string, a bool, an int, a float64, a time.Duration or a slog.Level.
	Value any
	// Origin is where the value comes from.
	Origin Origin
}

// Values lists every setting in the order of the documentation.
func (c *Config) Values() []Value {
	values := make([]Value, 0, len(settings))
	for _, s := range settings {
		values = append(values, Value{
			Key: s.key, Variable: s.variable(), Doc: s.doc,
			Value: deref(s.field(c)), Origin: c.origins[s.key],
		})
	}
	return values
}

// Origin returns where the value of a key comes from.
func (c *Config) Origin(key string) Origin { return c.origins[key] }
