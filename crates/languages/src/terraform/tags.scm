(comment) @comment

; Blocks at the top: their names are addresses, `aws_s3_bucket.cart`.
(config_file (body (block
  . (identifier) @_word
  . (string_lit) @name
  . (string_lit) @name
  (body)? @body
  (#set! names ".")) @definition.class))
(config_file (body (block
  . (identifier) @_word
  . [(string_lit) (identifier)] @name
  . (block_start)
  (body)? @body
  (#any-of? @_word "variable" "output" "local")) @definition.variable))
(config_file (body (block
  . (identifier) @_word
  . [(string_lit) (identifier)] @name
  . (block_start)
  (body)? @body
  (#eq? @_word "module")) @definition.module))
(config_file (body (block
  . (identifier) @_word
  . [(string_lit) (identifier)] @name
  . (block_start)
  (body)? @body) @definition.class))
(config_file (body (block
  . (identifier) @_word
  (body (attribute . (identifier) @name) @definition.variable)
  (#eq? @_word "locals"))))
(config_file (body (attribute . (identifier) @name) @definition.variable))
