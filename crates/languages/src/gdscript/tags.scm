(comment) @comment
(annotation) @between
(annotations) @between

(class_name_statement name: (name) @name
  (#set! rest)) @definition.class
(class_definition name: (name) @name) @definition.class
(enum_definition name: (name) @name) @definition.enum
(enumerator left: (identifier) @name) @definition.enum_member
(signal_statement name: (name) @name) @definition.property
(const_statement name: (name) @name) @definition.constant
(variable_statement name: (name) @name) @definition.variable
(export_variable_statement name: (name) @name) @definition.variable
(onready_variable_statement name: (name) @name) @definition.variable
(function_definition
  name: (name) @name
  parameters: (_) @parameters
  body: (_) @body) @definition.function
(constructor_definition "_init" @name
  parameters: (_) @parameters
  body: (_) @body) @definition.constructor
