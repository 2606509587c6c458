. ./bin/tool.sh
tool # calls bin/tool.sh:tool
