(comment) @comment
[(dis_expr) (syn_quoting_lit)] @closed
(list_lit . (sym_lit) @_word (#eq? @_word "comment")) @closed

(list_lit
  . (sym_lit) @_word
  . (sym_lit name: (sym_name) @name)
  . (str_lit)? @doc
  (#eq? @_word "ns")
  (#set! rest)) @definition.module
(list_lit
  . (sym_lit) @_word
  . (quoting_lit (sym_lit name: (sym_name) @name))
  (#eq? @_word "in-ns")
  (#set! rest)) @definition.module

; Functions: with documentation, and with one list of parameters or several.
(list_lit
  . (sym_lit name: (sym_name) @_word)
  . (sym_lit name: (sym_name) @name)
  . (str_lit)? @doc
  . (map_lit)?
  . (vec_lit) @parameters
  (#any-of? @_word "defn" "defn-" "defhandler" "defnc" "defui" "defcomponent" "defsc" "defnc")) @definition.function
(list_lit
  . (sym_lit name: (sym_name) @_word)
  . (sym_lit name: (sym_name) @name)
  . (str_lit)? @doc
  (#any-of? @_word "defn" "defn-" "defmulti" "defmethod" "deftest" "deftest-" "defspec")) @definition.function
(list_lit
  . (sym_lit) @_word
  . (sym_lit name: (sym_name) @name)
  . (str_lit)? @doc
  . (map_lit)?
  . (vec_lit)? @parameters
  (#any-of? @_word "defmacro" "defmacro-")) @definition.macro

; Types.
(list_lit
  . (sym_lit) @_word
  . (sym_lit name: (sym_name) @name)
  . (str_lit)? @doc
  (#any-of? @_word "defprotocol" "definterface")) @definition.interface
(list_lit
  . (sym_lit) @_word
  (list_lit . (sym_lit name: (sym_name) @name) . (vec_lit) @parameters) @definition.method
  (#any-of? @_word "defprotocol" "definterface" "defrecord" "deftype"))
(list_lit
  . (sym_lit) @_word
  . (sym_lit name: (sym_name) @name)
  (#any-of? @_word "defrecord" "deftype" "defstruct")) @definition.struct
(list_lit
  . (sym_lit) @_word
  . (sym_lit)
  . (vec_lit (sym_lit name: (sym_name) @name) @definition.field)
  (#any-of? @_word "defrecord" "deftype"))

; Everything else whose form begins with `def`.
(list_lit
  . (sym_lit name: (sym_name) @_word)
  . (sym_lit name: (sym_name) @name)
  . (str_lit) @doc
  . (_)
  (#starts-with? @_word "def")
  (#not-any-of? @_word "default" "defer" "default-fn")) @definition.variable
(list_lit
  . (sym_lit name: (sym_name) @_word)
  . (sym_lit name: (sym_name) @name)
  (#starts-with? @_word "def")
  (#not-any-of? @_word "default" "defer" "default-fn")) @definition.variable
