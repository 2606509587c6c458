//go:build debug

package build

import "log"

func debug(text string) {
	log.Println(format(text)) // calls :format
}

func format(text string) string { return text }
