package sourcetest

import (
	"reflect"
	"strings"

	"github.com/msgbrowse/msgbrowse/internal/msg"
)

// cloneMessage copies m down to the bytes of its strings, because a reader
// may reuse every buffer a message points into.
func cloneMessage(m *msg.Message) msg.Message {
	return cloneValue(reflect.ValueOf(*m)).Interface().(msg.Message)
}

func cloneValue(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		out.SetString(strings.Clone(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(cloneValue(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(cloneValue(v.Index(i)))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			out.Field(i).Set(cloneValue(v.Field(i)))
		}
	default:
		out.Set(v)
	}
	return out
}
