class Client
  def get = 1
end

class Api
  def client
    @client ||= Client.new # calls :Client
  end

  def other
    return @other if @other

    @other = Client.new # calls :Client
  end

  def fetch
    client.get # calls :Api.client, :Client.get
    other.get # calls :Api.other, :Client.get
  end
end
Api.new.fetch # calls :Api, :Api.fetch
