(comment) @comment

(contract_declaration name: (identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(library_declaration name: (identifier) @name body: (_) @body) @definition.class
(struct_declaration name: (identifier) @name body: (_) @body) @definition.struct
(struct_member name: (identifier) @name) @definition.field
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_value) @name @definition.enum_member
(error_declaration name: (identifier) @name (error_parameter)? @parameters) @definition.struct
(event_definition name: (identifier) @name (event_parameter)? @parameters) @definition.struct
(user_defined_type_definition name: (identifier) @name) @definition.type_alias

(function_definition
  name: (identifier) @name
  (parameter)? @parameters
  (visibility)? @visibility
  body: (_)? @body) @definition.function
(modifier_definition
  name: (identifier) @name
  (parameter)? @parameters
  body: (_)? @body) @definition.function
(constructor_definition "constructor" @name (parameter)? @parameters body: (_)? @body) @definition.constructor
(fallback_receive_definition ["fallback" "receive"] @name body: (_)? @body) @definition.function
(state_variable_declaration
  visibility: (_)? @visibility
  name: (identifier) @name) @definition.field
(constant_variable_declaration name: (identifier) @name) @definition.constant
