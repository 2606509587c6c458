[(comment) (documentation_comment)] @comment
(annotation) @between

; Types.
(class_declaration name: (identifier) @name body: (_)? @body) @definition.class
(class_declaration (mixin_application_class . (identifier) @name)) @definition.class
(mixin_declaration (identifier) @name body: (_)? @body) @definition.class
(extension_declaration name: (identifier) @name body: (_)? @body) @definition.class
(extension_type_declaration name: (extension_type_name (identifier) @name)) @definition.class
(enum_declaration name: (identifier) @name body: (_)? @body) @definition.enum
(enum_entry name: (identifier) @name) @definition.enum_member
(type_alias (type_identifier) @name) @definition.type_alias

; Functions.
(function_declaration
  signature: (function_signature name: (identifier) @name parameters: (_) @parameters)
  body: (_)? @body) @definition.function
(getter_declaration
  signature: (getter_signature name: (identifier) @name)
  body: (_)? @body) @definition.variable
(setter_declaration
  signature: (setter_signature name: (identifier) @name)) @definition.variable
(external_function_declaration
  signature: (function_signature name: (identifier) @name parameters: (_) @parameters)) @definition.function
(external_getter_declaration signature: (getter_signature name: (identifier) @name)) @definition.variable
(local_function_declaration
  (function_signature name: (identifier) @name parameters: (_) @parameters)
  (function_body)? @body) @definition.function

; Members.
(member_declaration (method_declaration
  signature: (method_signature (function_signature name: (identifier) @name parameters: (_) @parameters))
  body: (_)? @body)) @definition.method
(member_declaration (method_declaration
  signature: (method_signature (operator_signature operator: (_) @name parameters: (_) @parameters))
  body: (_)? @body)) @definition.method
(member_declaration (method_declaration
  signature: (method_signature (getter_signature name: (identifier) @name))
  body: (_)? @body)) @definition.property
(member_declaration (method_declaration
  signature: (method_signature (setter_signature name: (identifier) @name))
  body: (_)? @body)) @definition.property
(member_declaration (declaration (function_signature name: (identifier) @name parameters: (_) @parameters)))
  @definition.method
(member_declaration (declaration (operator_signature operator: (_) @name))) @definition.method
(member_declaration (declaration [
  (getter_signature name: (identifier) @name)
  (setter_signature name: (identifier) @name)
])) @definition.property
(member_declaration (declaration [
  (constructor_signature name: (identifier) @name parameters: (_) @parameters)
  (constant_constructor_signature name: (identifier) @name parameters: (_) @parameters)
  (redirecting_factory_constructor_signature name: (identifier) @name)
  (factory_constructor_signature name: (identifier) @name parameters: (_) @parameters)
])
  (#set! names last)) @definition.constructor
(member_declaration (method_declaration
  signature: (method_signature [
    (constructor_signature name: (identifier) @name parameters: (_) @parameters)
    (factory_constructor_signature name: (identifier) @name parameters: (_) @parameters)
  ])
  body: (_)? @body)
  (#set! names last)) @definition.constructor
(member_declaration (declaration (initialized_identifier_list (initialized_identifier name: (identifier) @name))))
  @definition.field
(member_declaration (declaration (static_final_declaration_list (static_final_declaration name: (identifier) @name))))
  @definition.field
(member_declaration (declaration (identifier_list (identifier) @name))) @definition.field

; Variables.
(top_level_variable_declaration [
  (static_final_declaration_list (static_final_declaration name: (identifier) @name))
  (initialized_identifier_list (initialized_identifier name: (identifier) @name))
]) @definition.variable
(external_variable_declaration (identifier_list (identifier) @name)) @definition.variable
