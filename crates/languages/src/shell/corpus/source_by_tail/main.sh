TOOL_HOME=${TOOL_HOME:-$PWD}
. "$TOOL_HOME/lib/tool.sh"
helper # calls lib/tool.sh:helper
