[(line_comment) (block_comment) (xml_doc)] @comment
(attributes) @between

(named_module name: (_) @name) @definition.module
(module_defn (identifier) @name) @definition.module
(namespace name: (_) @name) @definition.namespace

; Types.
(type_definition . (record_type_defn (type_name type_name: (_) @name)) @definition.struct) @wrapper
(record_type_defn (type_name type_name: (_) @name)) @definition.struct
(type_definition . (union_type_defn (type_name type_name: (_) @name)) @definition.enum) @wrapper
(union_type_defn (type_name type_name: (_) @name)) @definition.enum
(type_definition . (enum_type_defn (type_name type_name: (_) @name)) @definition.enum) @wrapper
(enum_type_defn (type_name type_name: (_) @name)) @definition.enum
(type_definition . (interface_type_defn (type_name type_name: (_) @name)) @definition.interface) @wrapper
(interface_type_defn (type_name type_name: (_) @name)) @definition.interface
(type_definition . (anon_type_defn (type_name type_name: (_) @name)) @definition.class) @wrapper
(anon_type_defn (type_name type_name: (_) @name)) @definition.class
(type_definition . (type_abbrev_defn (type_name type_name: (_) @name)) @definition.type_alias) @wrapper
(type_abbrev_defn (type_name type_name: (_) @name)) @definition.type_alias
(type_definition . (delegate_type_defn (type_name type_name: (_) @name)) @definition.type_alias) @wrapper
(delegate_type_defn (type_name type_name: (_) @name)) @definition.type_alias
(type_definition . (type_extension (type_name type_name: (_) @name)) @definition.impl) @wrapper
(type_extension (type_name type_name: (_) @name)) @definition.impl
(exception_definition exception_name: (_) @name) @definition.class
(record_field . (identifier) @name) @definition.field
(union_type_case . (identifier) @name) @definition.enum_member
(enum_type_case . (identifier) @name) @definition.enum_member

; Members.
(member_defn (method_or_prop_defn
  name: (property_or_ident method: (_) @name)
  args: (_) @parameters)) @definition.method
(member_defn (method_or_prop_defn
  name: (property_or_ident . (identifier) @name .)
  args: (_) @parameters)) @definition.method
(member_defn (method_or_prop_defn name: (property_or_ident method: (_) @name))) @definition.property
(member_defn (method_or_prop_defn name: (property_or_ident . (identifier) @name .))) @definition.property
(member_defn (member_signature (identifier) @name)) @definition.method
(member_defn (property_or_ident . (identifier) @name)) @definition.property

; Functions and values.
(function_or_value_defn
  . (function_declaration_left [(identifier) (op_identifier) (active_pattern)] @name (argument_patterns) @parameters)
  body: (_) @body) @definition.function
(function_declaration_left [(identifier) (op_identifier) (active_pattern)] @name
  (argument_patterns) @parameters
  (#set! ends-function)) @definition.function
(function_or_value_defn
  (value_declaration_left [
    (identifier_pattern . (long_identifier_or_op (identifier) @name .) .)
    (typed_pattern . (identifier_pattern . (long_identifier_or_op (identifier) @name .) .))
  ])
  body: (_) @body) @definition.variable
