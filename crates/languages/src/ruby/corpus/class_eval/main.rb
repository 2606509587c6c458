class Box
  def open = 1
end
Box.class_eval do
  def close
    open # calls :Box.open
  end
end
Box.new.close # calls :Box, :close
