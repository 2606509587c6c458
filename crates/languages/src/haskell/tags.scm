[(comment) (haddock)] @comment

(haskell (header module: (module) @name) @definition.module
  (#set! rest))
(header exports: (exports [
  (export variable: (_) @export)
  (export type: (_) @export)
  (export operator: (_) @export)
  (module_export) @export.all
]))

; Types.
(data_type name: (_) @name) @definition.enum
(newtype name: (_) @name) @definition.struct
(type_synonym name: (_) @name) @definition.type_alias
(type_family name: (_) @name) @definition.type_alias
(data_family name: (_) @name) @definition.type_alias
(class name: (_) @name) @definition.trait
(instance name: (_) @name) @definition.impl
(data_constructor [
  (prefix name: (_) @name)
  (record name: (_) @name)
  (infix operator: (_) @name)
]) @definition.enum_member
(gadt_constructor name: (_) @name) @definition.enum_member
(newtype_constructor name: (_) @name) @definition.enum_member
(field name: (field_name) @name) @definition.field
(pattern_synonym [
  (equation synonym: [(constructor) @name (apply function: (constructor) @name) (apply function: (apply function: (constructor) @name))])
  (signature synonym: (_) @name)
]) @definition.function

; Functions: a signature and clauses.
(declarations (signature name: (_) @name type: [
  (function)
  (context type: (function))
  (forall type: (function))
  (forall type: (context type: (function)))
]) @definition.function)
(class_declarations (signature name: (_) @name type: [
  (function)
  (context type: (function))
  (forall type: (function))
  (forall type: (context type: (function)))
]) @definition.function)
(declarations (signature name: (_) @name) @definition.variable)
(class_declarations (signature name: (_) @name) @definition.variable)
(declarations (signature names: (binding_list (_) @name)) @definition.variable)
(class_declarations (signature names: (binding_list (_) @name)) @definition.variable)
(declarations (function name: (_) @name patterns: (_)? @parameters) @definition.function)
(class_declarations (function name: (_) @name patterns: (_)? @parameters) @definition.function)
(instance_declarations (function name: (_) @name patterns: (_)? @parameters) @definition.function)
(declarations (function (infix operator: (_) @name)) @definition.function)
(instance_declarations (function (infix operator: (_) @name)) @definition.function)
(declarations (bind name: (_) @name match: (match expression: (literal))) @definition.variable)
(declarations (bind name: (_) @name) @definition.function)
(class_declarations (bind name: (_) @name) @definition.function)
(instance_declarations (bind name: (_) @name) @definition.function)
(foreign_import signature: (signature name: (_) @name)) @definition.function
