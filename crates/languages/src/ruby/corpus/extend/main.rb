module Finders
  def find = new # calls :Post (missed), :Page (missed)
end

class Post
  extend Finders
end

class Page
  extend Finders
end
Post.find # calls :Finders.find
Page.find # calls :Finders.find
