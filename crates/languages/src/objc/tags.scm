(comment) @comment

; Classes. What a category adds belongs to its class.
(class_interface . (identifier) @name category: (_)) @definition.impl
(class_interface . (identifier) @name . "(" . ")") @definition.impl
(class_interface . (identifier) @name superclass: (_)) @definition.class
(class_interface . (identifier) @name) @definition.class
(class_implementation . (identifier) @name category: (_)) @definition.impl
(class_implementation . (identifier) @name) @definition.class
(protocol_declaration . (identifier) @name) @definition.interface

(method_declaration (identifier) @name (method_parameter)? @parameters
  (#set! names ":")) @definition.method
(method_definition (identifier) @name (method_parameter)? @parameters (compound_statement) @body
  (#set! names ":")) @definition.method
(property_declaration (struct_declaration (struct_declarator [
  (identifier) @name
  (_ [(identifier) @name (_ (identifier) @name)])
]))) @definition.property
(instance_variable (struct_declaration (struct_declarator [
  (identifier) @name
  (_ [(identifier) @name (_ (identifier) @name)])
]))) @definition.field

; What C has.
(function_definition
  declarator: [
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    (_ declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
    (_ declarator: (_ declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters)))
  ]
  body: (_) @body) @definition.function
(declaration
  declarator: [
    (function_declarator declarator: (identifier) @name parameters: (_) @parameters)
    (_ declarator: (function_declarator declarator: (identifier) @name parameters: (_) @parameters))
  ]) @definition.function
(declaration
  declarator: [
    (identifier) @name
    (_ declarator: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))
  ]) @definition.variable
(struct_specifier name: (_) @name body: (_) @body) @definition.struct
(union_specifier name: (_) @name body: (_) @body) @definition.union
(enum_specifier name: (_) @name body: (_) @body) @definition.enum
(enumerator name: (_) @name) @definition.enum_member
(field_declaration declarator: [
  (field_identifier) @name
  (_ declarator: (field_identifier) @name)
]) @definition.field
(type_definition declarator: [
  (type_identifier) @name
  (_ declarator: (type_identifier) @name)
  (function_declarator declarator: (_ (_ declarator: (type_identifier) @name)))
]) @definition.type_alias
(preproc_def name: (_) @name) @definition.macro
(preproc_function_def name: (_) @name parameters: (_) @parameters) @definition.macro
