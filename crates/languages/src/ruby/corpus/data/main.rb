Coord = Data.define(:lat, :lng) do
  def far? = lat > 3 # calls :Coord.lat
end
Coord.new(lat: 1, lng: 2).far? # calls :Coord, :Coord.far?
