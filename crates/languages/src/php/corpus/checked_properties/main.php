<?php
interface Filter {}
class ListFilter implements Filter { public function all(): array { return [1]; } }
class Holder
{
    public function __construct(private Filter $filter) {}
    public function run(): int
    {
        if ($this->filter instanceof ListFilter && count($this->filter->all()) > 0) { // calls :ListFilter.all
            return count($this->filter->all()); // calls :ListFilter.all
        }
        return 0;
    }
    public function safe($other): int
    {
        if ($other instanceof Filter && !$other instanceof Holder && $other instanceof ListFilter) {
            return count($other->all()); // calls :ListFilter.all
        }
        return 0;
    }
}
$h = new Holder(new ListFilter()); // calls :Holder.__construct, :ListFilter
echo $h->run(), $h->safe(new ListFilter()); // calls :Holder.run, :Holder.safe, :ListFilter
