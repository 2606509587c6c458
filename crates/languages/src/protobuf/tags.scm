(comment) @comment

(package (full_ident) @name) @definition.package
(message (message_name) @name (message_body) @body) @definition.class
(enum (enum_name) @name (enum_body) @body) @definition.enum
(enum_field . (identifier) @name) @definition.enum_member
(field (identifier) @name) @definition.field
(map_field (identifier) @name) @definition.field
(oneof . (identifier) @name) @definition.property
(oneof_field (identifier) @name) @definition.field
(service (service_name) @name) @definition.interface
(rpc (rpc_name) @name) @definition.method
(group (_) @name) @definition.class
