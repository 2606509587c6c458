<?php
use App\Service;
echo (new Service())->run(); // calls src/Service.php:Service, src/Service.php:Service.run
