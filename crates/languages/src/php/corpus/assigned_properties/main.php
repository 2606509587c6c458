<?php
class Store { public function load(): string { return 'l'; } }
class Page
{
    private $store;
    private $title = '';
    public function __construct(Store $store) { $this->store = $store; }
    public function show(): string { return $this->store->load(); } // calls :Store.load
}
echo (new Page(new Store()))->show(); // calls :Page.__construct, :Store, :Page.show
