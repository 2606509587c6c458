[(comment) (marginalia)] @comment

(create_table (object_reference name: (_) @name)) @definition.class
(create_view (object_reference name: (_) @name)) @definition.class
(create_materialized_view (object_reference name: (_) @name)) @definition.class
(create_type (object_reference name: (_) @name)) @definition.type_alias
(create_schema (identifier) @name) @definition.namespace
(create_database (identifier) @name) @definition.namespace
(create_sequence (object_reference name: (_) @name)) @definition.variable
(create_index column: (_) @name) @definition.property
(column_definition name: (_) @name) @definition.field
(create_function
  (object_reference name: (_) @name)
  (function_arguments)? @parameters
  (function_body)? @body) @definition.function
(create_trigger (keyword_trigger) . (object_reference name: (_) @name)) @definition.function
