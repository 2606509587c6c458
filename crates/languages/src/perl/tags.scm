(comment) @comment
(pod) @doc

(package_statement name: (package) @name (block) @body
  (#set! ends-rest)) @definition.module
(package_statement name: (package) @name
  (#set! rest)) @definition.module
(class_statement name: (package) @name (block) @body
  (#set! ends-rest)) @definition.class
(class_statement name: (package) @name
  (#set! rest)) @definition.class
(role_statement name: (package) @name (block) @body
  (#set! ends-rest)) @definition.trait
(role_statement name: (package) @name
  (#set! rest)) @definition.trait

(subroutine_declaration_statement
  name: (bareword) @name
  (signature)? @parameters
  body: (block) @body) @definition.function
(method_declaration_statement
  name: (bareword) @name
  (signature)? @parameters
  body: (block) @body) @definition.method

(use_statement
  module: (package) @_word
  (list_expression . (autoquoted_bareword) @name)
  (#eq? @_word "constant")) @definition.constant
(use_statement
  module: (package) @_word
  (anonymous_hash_expression (list_expression . (autoquoted_bareword) @name @definition.constant))
  (#eq? @_word "constant"))
(use_statement
  module: (package) @_word
  (anonymous_hash_expression (list_expression (list_expression (autoquoted_bareword) @name @definition.constant)))
  (#eq? @_word "constant"))
(variable_declaration "our" variable: (_ (varname) @name)) @definition.variable
(variable_declaration "our" variables: (_ (varname) @name)) @definition.variable
