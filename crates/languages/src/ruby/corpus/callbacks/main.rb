class PostsController < ApplicationController
  before_action :load, only: :show
  after_action :log, if: :loud?
  before_action { load } # calls :PostsController.load

  def show
    load # calls :PostsController.load
  end

  private

  def load = 1

  def log = 1

  def loud? = true
end
