(comment) @comment

; Types are values.
(variable_declaration "const" (identifier) @name . (_)? (struct_declaration) @body .) @definition.struct
(variable_declaration "const" (identifier) @name (opaque_declaration)) @definition.struct
(variable_declaration "const" (identifier) @name (enum_declaration)) @definition.enum
(variable_declaration "const" (identifier) @name (union_declaration)) @definition.union
(variable_declaration "const" (identifier) @name (error_set_declaration)) @definition.enum
(variable_declaration "const" . (identifier) @name) @definition.constant
(variable_declaration "var" . (identifier) @name) @definition.variable
(error_set_declaration (identifier) @name @definition.enum_member
  (#set! visibility pub))
(enum_declaration (container_field name: (_) @name) @definition.enum_member
  (#set! visibility pub))
(container_field name: (_) @name @_type type: (_)
  (#set! visibility pub)) @definition.field

(function_declaration
  name: (identifier) @name
  (parameters) @parameters
  body: (_)? @body) @definition.function
(test_declaration [(string) (identifier)] @name (block) @body) @definition.function
