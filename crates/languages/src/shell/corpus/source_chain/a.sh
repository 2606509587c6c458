. ./b.sh
