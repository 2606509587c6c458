./tool.sh
bash ./tool.sh
sh -c 'helper' 2>/dev/null
helper 2>/dev/null
