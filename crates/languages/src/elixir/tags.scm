(comment) @comment

; Modules, protocols and implementations.
(call
  target: (identifier) @_word
  (arguments . (alias) @name)
  (#eq? @_word "defmodule")) @definition.module
(call
  target: (identifier) @_word
  (arguments . (alias) @name)
  (#eq? @_word "defprotocol")) @definition.interface
(call
  target: (identifier) @_word
  (arguments . (alias) @name)
  (#eq? @_word "defimpl")) @definition.impl

; Functions and macros, with or without parameters and guards.
(call
  target: (identifier) @_word
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name (arguments) @parameters)
    (binary_operator left: (identifier) @name operator: "when")
    (binary_operator
      left: (call target: (identifier) @name (arguments) @parameters)
      operator: "when")
  ])
  (do_block)? @body
  (#any-of? @_word "def" "defp" "defdelegate" "defguard" "defguardp" "defn" "defnp")) @definition.function
(call
  target: (identifier) @_word
  (arguments . [
    (identifier) @name
    (call target: (identifier) @name (arguments) @parameters)
    (binary_operator
      left: (call target: (identifier) @name (arguments) @parameters)
      operator: "when")
  ])
  (do_block)? @body
  (#any-of? @_word "defmacro" "defmacrop")) @definition.macro

; Tests.
(call
  target: (identifier) @_word
  (arguments . (string) @name)
  (do_block) @body
  (#any-of? @_word "test" "property")) @definition.function

; Types and callbacks.
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_word
    (arguments . (binary_operator
      left: [(identifier) @name (call target: (identifier) @name)]
      operator: "::")))
  (#any-of? @_word "type" "typep" "opaque")) @definition.type_alias
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_word
    (arguments . [
      (binary_operator
        left: (call target: (identifier) @name (arguments) @parameters)
        operator: "::")
      (binary_operator
        left: (binary_operator
          left: (call target: (identifier) @name (arguments) @parameters)
          operator: "::")
        operator: "when")
    ]))
  (#any-of? @_word "callback" "macrocallback")) @definition.function

; Documentation.
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_word
    (arguments . [(string) (sigil)] @doc))
  (#any-of? @_word "doc" "typedoc"))
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_word
    (arguments . [(string) (sigil)] @doc.outer))
  (#eq? @_word "moduledoc"))
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_word)
  (#any-of? @_word "spec" "impl" "deprecated" "since" "tag")) @between

; Attributes with a value of their own.
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @name
    (arguments))
  (#not-any-of? @name
    "doc" "moduledoc" "typedoc" "spec" "type" "typep" "opaque" "callback" "macrocallback" "impl" "behaviour"
    "derive" "enforce_keys" "deprecated" "since" "tag" "moduletag" "describetag" "optional_callbacks" "compile"
    "dialyzer" "before_compile" "after_compile" "on_definition" "on_load" "external_resource" "shortdoc"
    "external" "vsn" "nifs" "file" "fallback_to_any" "inline" "attr" "slot")) @definition.constant
