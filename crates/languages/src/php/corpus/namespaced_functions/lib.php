<?php
function global_help(): string { return 'g'; }
