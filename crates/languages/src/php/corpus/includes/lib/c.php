<?php
function from_c(): string { return 'c'; }
