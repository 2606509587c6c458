[(line_comment) (block_comment)] @comment

(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_constant name: (identifier) @name) @definition.enum_member
(method_declaration
  name: (_) @name
  parameters: (_) @parameters
  body: (_)? @body) @definition.function
(constructor_declaration
  name: (_) @name
  parameters: (_) @parameters
  body: (_)? @body) @definition.constructor
(function_definition
  name: (_) @name
  parameters: (_) @parameters
  body: (_)? @body) @definition.function
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field
(program (local_variable_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.variable)
(program (juxt_function_call
  name: (identifier) @_word
  args: (argument_list (identifier) @name)
  (#eq? @_word "task")) @definition.function)
