[(line_comment) (block_comment)] @comment

(module_declaration name: (_) @name
  (#set! rest)) @definition.module
(module_declaration exposing: (exposing_list [
  (exposed_value) @export
  (exposed_type (upper_case_identifier) @export)
  (double_dot) @export.all
]))

(type_declaration name: (_) @name) @definition.enum
(union_variant name: (_) @name) @definition.enum_member
(type_alias_declaration name: (_) @name
  typeExpression: (type_expression part: (record_type))) @definition.struct
(type_alias_declaration name: (_) @name) @definition.type_alias
(type_alias_declaration
  typeExpression: (type_expression part: (record_type fieldType: (field_type name: (_) @name) @definition.field)))

(file (type_annotation name: (_) @name
  typeExpression: (type_expression (arrow))) @definition.function)
(file (type_annotation name: (_) @name) @definition.variable)
(file (value_declaration
  functionDeclarationLeft: (function_declaration_left
    . (lower_case_identifier) @name
    pattern: (_)+ @parameters)
  body: (_) @body) @definition.function)
(file (value_declaration
  functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @name .)
  body: (_) @body) @definition.variable)
(file (value_declaration pattern: (pattern child: (tuple_pattern pattern: (pattern child: (lower_pattern) @name)))) @definition.variable)
(port_annotation name: (_) @name) @definition.function
