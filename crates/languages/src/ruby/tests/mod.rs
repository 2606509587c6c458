mod facts;
mod link;
