package text

import "strings"

var Width = measure("m") // calls :measure

var Default = Style{}

type Style struct{}

func (Style) Upper(s string) string { return strings.ToUpper(Trim(s)) } // calls :Trim

func Trim(s string) string { return strings.Trim(s, " ") }

func measure(s string) int { return len(s) }
