class Account
  def pay
    check # calls :Account.check
    self.secret = 1 # calls :Account.secret
  end

  private

  attr_writer :secret

  def check = 1

  public

  def open = check # calls :Account.check

  private def late = 1

  def after = late # calls :Account.late
end
Account.new.pay # calls :Account, :Account.pay
Account.new.after # calls :Account, :Account.after
