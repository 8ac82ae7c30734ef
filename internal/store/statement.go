package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"
)

// A statement changes rows. It is prepared and run past database/sql and
// cannot be cancelled while it runs, only before: to be able to, the driver
// starts a goroutine and sets a handler up for every execution, which costs
// more than inserting a short row does.
type statement struct {
	conn     *sql.Conn
	prepared driver.StmtExecContext
	close    func() error
	args     []driver.NamedValue // used again by every execution
}

func prepareStatement(conn *sql.Conn, query string) (*statement, error) {
	s := &statement{conn: conn}
	err := conn.Raw(func(connection any) error {
		prepared, err := connection.(driver.ConnPrepareContext).PrepareContext(context.Background(), query)
		if err != nil {
			return err
		}
		var ok bool
		if s.prepared, ok = prepared.(driver.StmtExecContext); !ok {
			return errors.Join(errors.New("the SQLite driver cannot run a prepared statement"), prepared.Close())
		}
		s.close = prepared.Close
		return nil
	})
	return s, err
}

// reset empties the arguments.
func (s *statement) reset() { s.args = s.args[:0] }

// add appends an argument. Its type is one of a driver.Value's.
func (s *statement) add(v driver.Value) {
	s.args = append(s.args, driver.NamedValue{Ordinal: len(s.args) + 1, Value: v})
}

// run executes the statement with the arguments added since reset.
func (s *statement) run(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.conn.Raw(func(any) error {
		_, err := s.prepared.ExecContext(context.Background(), s.args)
		return err
	})
}

// exec executes the statement with arguments of any type that stands for a
// driver.Value.
func (s *statement) exec(ctx context.Context, args []any) error {
	s.reset()
	for _, a := range args {
		v, err := driver.DefaultParameterConverter.ConvertValue(a)
		if err != nil {
			return err
		}
		s.add(v)
	}
	return s.run(ctx)
}

// rowsPerStmt is how many rows insertRows inserts with one statement.
const rowsPerStmt = 32

// insertRows inserts rows of so many columns. values are theirs, one row after
// the other; head says where they go, and tail what happens to those that are
// there already.
func (b *Batch) insertRows(ctx context.Context, head string, columns int, values []driver.Value, tail string) error {
	row := "(?" + strings.Repeat(",?", columns-1) + ")"
	one := head + " VALUES " + row
	many := one + strings.Repeat(","+row, rowsPerStmt-1) + " " + tail
	one += " " + tail
	for len(values) > 0 {
		query, n := one, columns
		if len(values) >= rowsPerStmt*columns {
			query, n = many, rowsPerStmt*columns
		}
		insert, err := b.statement(query)
		if err != nil {
			return err
		}
		insert.reset()
		for _, v := range values[:n] {
			insert.add(v)
		}
		if err := insert.run(ctx); err != nil {
			return err
		}
		values = values[n:]
	}
	return nil
}
