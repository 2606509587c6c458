package text

// Trim has a namesake in another package of the same name.
func Trim(s string) string { return cut(s) } // calls :cut

func cut(s string) string { return s[1:] }
