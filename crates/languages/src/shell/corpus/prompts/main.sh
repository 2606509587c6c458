prompt() { PS1='$ '; }
PROMPT_COMMAND=prompt
_complete_it() { COMPREPLY=(); }
complete -F _complete_it it
prompt # calls :prompt
