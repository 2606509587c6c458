module Taggable
  extend ActiveSupport::Concern

  included do
    before_save :tag
  end

  class_methods do
    def tagged = new # calls :Post (missed)
  end

  def tag = 1
end

module Hooked
  def self.included(base)
    base.extend(ClassMethods)
  end

  module ClassMethods
    def hooks = 1
  end
end

class Post
  include Taggable
  include Hooked
end
Post.tagged.tag # calls :Taggable.ClassMethods.tagged, :Taggable.tag (missed)
Post.hooks # calls :Hooked.ClassMethods.hooks
