(comment) @comment

; Modules and classes.
(module_definition . (module_binding (module_name) @name body: (_)? @body) @definition.module) @wrapper
(module_binding (module_name) @name body: (_)? @body) @definition.module
(module_type_definition (module_type_name) @name body: (_)? @body) @definition.interface
(class_definition . (class_binding (class_name) @name) @definition.class) @wrapper
(class_binding (class_name) @name) @definition.class
(class_type_definition (class_type_binding (class_type_name) @name) @definition.interface)
(method_definition (method_name) @name (parameter)? @parameters body: (_)? @body) @definition.method
(method_specification (method_name) @name) @definition.method
(instance_variable_definition (instance_variable_name) @name) @definition.field

; Types.
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.class
(type_definition
  . (type_binding name: [(type_constructor) (type_constructor_path (type_constructor))] @name
    body: (record_declaration)) @definition.struct) @wrapper
(type_binding name: [(type_constructor) (type_constructor_path (type_constructor))] @name
  body: (record_declaration)) @definition.struct
(type_definition
  . (type_binding name: [(type_constructor) (type_constructor_path (type_constructor))] @name
    body: (variant_declaration)) @definition.enum) @wrapper
(type_binding name: [(type_constructor) (type_constructor_path (type_constructor))] @name
  body: (variant_declaration)) @definition.enum
(type_definition
  . (type_binding name: [(type_constructor) (type_constructor_path (type_constructor))] @name)
    @definition.type_alias) @wrapper
(type_binding name: [(type_constructor) (type_constructor_path (type_constructor))] @name) @definition.type_alias
(constructor_declaration (constructor_name) @name) @definition.enum_member
(field_declaration (field_name) @name) @definition.field

; Values. Those of expressions are local.
(let_expression (value_definition) @closed)
(value_definition
  . (let_binding pattern: [(value_name) (parenthesized_operator)] @name
    (parameter) @parameters body: (_)? @body) @definition.function) @wrapper
(let_binding pattern: [(value_name) (parenthesized_operator)] @name
  (parameter) @parameters body: (_)? @body) @definition.function
(value_definition
  . (let_binding pattern: [(value_name) (parenthesized_operator)] @name
    body: [(fun_expression) (function_expression)] @body) @definition.function) @wrapper
(let_binding pattern: [(value_name) (parenthesized_operator)] @name
  body: [(fun_expression) (function_expression)] @body) @definition.function
(value_definition
  . (let_binding pattern: [(value_name) (parenthesized_operator)] @name body: (_)? @body)
    @definition.variable) @wrapper
(let_binding pattern: [(value_name) (parenthesized_operator)] @name body: (_)? @body) @definition.variable
(value_definition
  . (let_binding pattern: (tuple_pattern (value_name) @name)) @definition.variable) @wrapper
(external [(value_name) (parenthesized_operator)] @name) @definition.function
(value_specification [(value_name) (parenthesized_operator)] @name
  type: (function_type)) @definition.function
(value_specification [(value_name) (parenthesized_operator)] @name) @definition.variable
