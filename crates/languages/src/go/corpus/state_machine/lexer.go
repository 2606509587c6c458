package state

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

type stateFn func(*lexer) stateFn

type kind int

const (
	word kind = iota
	end
)

type item struct {
	kind kind
	text string
}

func (k kind) String() string { return [...]string{"word", "end"}[k] }

func (i item) String() string { return fmt.Sprintf("%v %q", i.kind.String(), i.text) } // calls :kind.String

type lexer struct {
	input string
	pos   int
	items []item
	state stateFn
}

func (l *lexer) next() rune {
	r, width := utf8.DecodeRuneInString(l.input[l.pos:])
	l.pos += width
	return r
}

func (l *lexer) backup() *lexer { l.pos--; return l }

func (l *lexer) accept(valid string) bool {
	if strings.IndexRune(valid, l.next()) >= 0 { // calls :lexer.next
		return true
	}
	l.backup().emit(end) // calls :lexer.backup, :lexer.emit
	return false
}

func (l *lexer) emit(k kind) { l.items = append(l.items, item{kind: k}) }

func (l *lexer) run() []item {
	for state := stateFn(lexText); state != nil; {
		state = state(l)
	}
	for l.state = lexText; l.state != nil; {
		l.state = l.state(l) // calls :lexer.state
	}
	return l.items
}

func lexText(l *lexer) stateFn {
	switch r := l.next(); { // calls :lexer.next
	case r == '{':
		return lexBlock
	case isSpace(r): // calls :isSpace
		return lexText(l) // calls :lexText
	case r == '!':
		return lexError("bad") // calls :lexError
	}
	l.emit(word) // calls :lexer.emit
	return nil
}

func lexBlock(l *lexer) stateFn {
	if l.accept("}") { // calls :lexer.accept
		return lexText
	}
	return nil
}

func lexError(text string) stateFn {
	return func(l *lexer) stateFn {
		l.emit(end) // calls :lexer.emit
		return nil
	}
}

func isSpace(r rune) bool { return r == ' ' }

func lex(input string) string {
	items := (&lexer{input: input}).run() // calls :lexer.run
	last := items[len(items)-1]
	lexError("x")(nil)                            // calls :lexError
	return items[0].String() + last.kind.String() // calls :item.String, :kind.String
}
