[(line_comment) (block_comment)] @comment
(source_file (string_literal) @doc)
(module_definition (string_literal) @doc)

(module_definition name: (_) @name) @definition.module

; Types.
(struct_definition (type_head [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (binary_expression . (identifier) @name)
  (binary_expression . (parametrized_type_expression . (identifier) @name))
])) @definition.struct
(struct_definition [
  (identifier) @name @definition.field
  (typed_expression . (identifier) @name) @definition.field
])
(struct_definition (assignment . (typed_expression . (identifier) @name)) @definition.field)
(abstract_definition (type_head [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (binary_expression . (identifier) @name)
  (binary_expression . (parametrized_type_expression . (identifier) @name))
])) @definition.interface
(primitive_definition (type_head [
  (identifier) @name
  (binary_expression . (identifier) @name)
])) @definition.struct
(macrocall_expression
  (macro_identifier) @_word
  (macro_argument_list . [(identifier) @name (typed_expression . (identifier) @name)])
  (#eq? @_word "@enum")) @definition.enum

; Functions.
(function_definition (signature [
  (identifier) @name
  (call_expression . [(identifier) (operator)] @name (argument_list) @parameters)
  (where_expression . (call_expression . [(identifier) (operator)] @name (argument_list) @parameters))
  (typed_expression . (call_expression . [(identifier) (operator)] @name (argument_list) @parameters))
  (where_expression . (typed_expression . (call_expression . [(identifier) (operator)] @name (argument_list) @parameters)))
  (call_expression . (field_expression value: (_) @owner (_) @name .) (argument_list) @parameters)
  (where_expression . (call_expression . (field_expression value: (_) @owner (_) @name .) (argument_list) @parameters))
  (typed_expression . (call_expression . (field_expression value: (_) @owner (_) @name .) (argument_list) @parameters))
  (where_expression . (typed_expression . (call_expression . (field_expression value: (_) @owner (_) @name .) (argument_list) @parameters)))
])) @definition.function
(macro_definition (signature (call_expression . (identifier) @name (argument_list) @parameters))) @definition.macro
(assignment . [
  (call_expression . [(identifier) (operator)] @name (argument_list) @parameters)
  (where_expression . (call_expression . [(identifier) (operator)] @name (argument_list) @parameters))
  (typed_expression . (call_expression . [(identifier) (operator)] @name (argument_list) @parameters))
  (where_expression . (typed_expression . (call_expression . [(identifier) (operator)] @name (argument_list) @parameters)))
  (call_expression . (field_expression value: (_) @owner (_) @name .) (argument_list) @parameters)
  (where_expression . (call_expression . (field_expression value: (_) @owner (_) @name .) (argument_list) @parameters))
  (typed_expression . (call_expression . (field_expression value: (_) @owner (_) @name .) (argument_list) @parameters))
]) @definition.function
(assignment . (identifier) @name (operator) . (arrow_function_expression)) @definition.function

; Variables of modules.
(const_statement (assignment . (identifier) @name)) @definition.constant
(global_statement (assignment . (identifier) @name)) @definition.variable
(source_file (assignment . (identifier) @name) @definition.variable)
(module_definition (assignment . (identifier) @name) @definition.variable)

(quote_statement) @closed
