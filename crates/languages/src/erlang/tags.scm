(comment) @comment
(spec) @between

(module_attribute name: (_) @name
  (#set! rest)) @definition.module
(record_decl name: (_) @name
  (#set! visibility public)) @definition.struct
(record_decl fields: (record_field name: (_) @name) @definition.field)
(pp_define lhs: (macro_lhs name: (_) @name args: (_)? @parameters)
  (#set! visibility public)) @definition.macro
(type_alias name: (type_name name: (_) @name)
  (#set! visibility public)) @definition.type_alias
(opaque name: (type_name name: (_) @name)
  (#set! visibility public)) @definition.type_alias
(callback fun: (_) @name
  (#set! visibility public)) @definition.function
(fun_decl
  clause: (function_clause
    name: (_) @name
    args: (_) @parameters
    body: (_) @body)) @definition.function

(export_attribute funs: (fa fun: (_) @export))
(compile_options_attribute options: (_) @_options (#contains? @_options "export_all")) @export.all
