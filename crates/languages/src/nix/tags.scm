(comment) @comment

(binding
  attrpath: (attrpath) @name
  expression: (function_expression
    [(identifier) (formals)] @parameters
    body: (_) @body)) @definition.function
(binding
  attrpath: (attrpath) @name
  expression: [(attrset_expression) (rec_attrset_expression)]) @definition.namespace
(binding attrpath: (attrpath) @name) @definition.variable

; What a call is given is no definition.
(binding expression: [(apply_expression) (list_expression)] @closed)
