package main

import (
	"bufio"
	"os"
	"strconv"
)

type Token struct{ text string }

func (t Token) Text() string         { return t.text }
func (t Token) Next() (Token, error) { return t, nil }

type Lexer struct{ scanner *bufio.Scanner }

func (l *Lexer) Text() string                              { return "" }
func (l *Lexer) Scan() (token Token, rest *Lexer, ok bool) { return Token{}, l, true }

func open(name string) (*Lexer, func(), error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	return &Lexer{bufio.NewScanner(file)}, func() { file.Close() }, nil
}

func pair() (Token, *Lexer) { return Token{}, &Lexer{} }

func join(t Token, l *Lexer) string {
	return t.Text() + l.Text() // calls :Token.Text, :Lexer.Text
}

func main() {
	lexer, done, err := open("a") // calls :open
	if err != nil {
		return
	}
	defer done()
	token, rest, ok := lexer.Scan() // calls :Lexer.Scan
	if !ok {
		return
	}
	token.Text() // calls :Token.Text
	rest.Text()  // calls :Lexer.Text
	lexer.scanner.Text()
	lexer.scanner.Scan()
	join(pair()) // calls :join, :pair

	// The two names trade their types through new variables.
	token, lexer = pair() // calls :pair
	{
		lexer, token := pair() // calls :pair
		lexer.Text()           // calls :Token.Text
		token.Text()           // calls :Lexer.Text
	}
	if next, err := token.Next(); err == nil { // calls :Token.Next
		next.Text() // calls :Token.Text
	} else if again, _ := next.Next(); true { // calls :Token.Next
		again.Text() // calls :Token.Text
	}
	n, _ := strconv.Atoi("3")
	_ = n
	byName := map[string]*Lexer{}
	if found, ok := byName["a"]; ok {
		found.Text() // calls :Lexer.Text
	}
	a, b := token, lexer
	a.Text()          // calls :Token.Text
	b.Text()          // calls :Lexer.Text
	var c, d = pair() // calls :pair
	c.Text()          // calls :Token.Text
	d.Text()          // calls :Lexer.Text
}
