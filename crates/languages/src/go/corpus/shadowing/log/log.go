package log

type Logger struct{}

func New() *Logger { return &Logger{} }

func (l *Logger) Print(s string) {}

func Print(s string) {}
