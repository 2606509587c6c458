(comment) @comment

; Functions that are assigned.
(binary_operator
  lhs: [(identifier) (string)] @name
  operator: ["<-" "=" "<<-" ":="]
  rhs: (function_definition parameters: (_) @parameters body: (_) @body)) @definition.function
(binary_operator
  lhs: (function_definition parameters: (_) @parameters body: (_) @body)
  operator: ["->" "->>"]
  rhs: [(identifier) (string)] @name) @definition.function
(call
  function: (identifier) @_word
  arguments: (arguments
    . (argument value: (string) @name)
    (argument value: (function_definition parameters: (_) @parameters body: (_) @body)))
  (#any-of? @_word "assign" "setGeneric" "setMethod" "setReplaceMethod")) @definition.function
(call
  function: (identifier) @_word
  arguments: (arguments . (argument value: (string) @name))
  (#any-of? @_word "setGeneric" "setMethod" "test_that")) @definition.function

; Classes.
(call
  function: (identifier) @_word
  arguments: (arguments . (argument value: (string) @name))
  (#any-of? @_word "setClass" "setRefClass")) @definition.class
(binary_operator
  lhs: (identifier) @name
  operator: ["<-" "="]
  rhs: (call function: [(identifier) @_word (namespace_operator rhs: (identifier) @_word)])
  (#any-of? @_word "R6Class" "setRefClass" "new_class" "ggproto")) @definition.class
(call
  function: [(identifier) @_word (namespace_operator rhs: (identifier) @_word)]
  arguments: (arguments (argument
    name: (identifier) @_part
    value: (call arguments: (arguments (argument
      name: (identifier) @name
      value: (function_definition parameters: (_) @parameters body: (_) @body)) @definition.method))))
  (#any-of? @_word "R6Class" "setRefClass")
  (#any-of? @_part "public" "private" "active" "methods"))
(call
  function: (identifier) @_word
  arguments: (arguments (argument
    name: (identifier) @name
    value: (function_definition parameters: (_) @parameters body: (_) @body)) @definition.method)
  (#eq? @_word "ggproto"))

; Variables of the file.
(program (binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"]) @definition.variable)
(program (binary_operator operator: ["->" "->>"] rhs: (identifier) @name) @definition.variable)
