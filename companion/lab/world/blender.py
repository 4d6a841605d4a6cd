"""Path tracing by Blender (`pip install bpy`): a scene goes in, linear light comes out."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from companion.lab.rendering.camera import BOARD_MM, View
from companion.lab.rendering.carving import Reals
from companion.lab.rendering.extras import card_corners, card_picture
from companion.lab.rendering.pieces import linear
from companion.lab.rendering.surface import Art
from companion.lab.rendering.tabletops import tabletop
from companion.lab.rendering.textures import Floats, Image
from companion.lab.world.bodies import Body, Material
from companion.lab.world.geometry import Region, board_region, extra_body, on_table, scene_view
from companion.lab.world.lamps import BULB, PANEL, SPOT, LampBody
from companion.lab.world.meshes import TexturedMesh, card_mesh, table_mesh, tile_atlas, tile_mesh, to_linear
from companion.lab.world.poses import rotation, set_down
from companion.lab.world.scenes import WorldScene

_SCALE = 0.01
"""Blender's units a mm: small numbers trouble its rays."""

_FLIP = np.diag([1.0, -1.0, 1.0])
"""From (x, y down the board, h up), which is left-handed, to Blender's space."""

_CARD_EDGE = (0.36, 0.3, 0.2)
_WOOD = (0.5, 0.33, 0.18)
_CLOTHS = ("cloth", "rug", "pattern")
_WALL_MM = 1600.0

_FAR_PERCENT = 25
"""How large what lies far from the board is traced where only the board is wanted sharp."""

Rgb = tuple[float, float, float]


def _rgb(bgr: Sequence[float] | Floats) -> Rgb:
    blue, green, red = (float(part) for part in bgr)
    return red, green, blue


def _mesh(name: str, points: Reals, faces: Sequence[Sequence[int]], tones: Sequence[int], smooth_deg: float) -> Any:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata((points @ _FLIP * _SCALE).tolist(), [], [tuple(reversed(face)) for face in faces])
    mesh.polygons.foreach_set("material_index", np.asarray(tones, np.int32))
    if smooth_deg > 0:
        mesh.shade_smooth()
        mesh.set_sharp_from_angle(angle=float(np.radians(smooth_deg)))
    mesh.update()
    return mesh


def _textured(name: str, made: TexturedMesh) -> Any:
    mesh = _mesh(name, made.points, made.faces, made.tones, 0)
    layer = mesh.uv_layers.new(name="picture")
    starts = np.cumsum([0, *map(len, made.faces)])
    turned = [made.uv[start:end][::-1] for start, end in zip(starts[:-1], starts[1:], strict=True)]
    layer.uv.foreach_set("vector", np.vstack(turned).astype(np.float32).ravel())
    return mesh


def _put(mesh: Any, materials: Sequence[Any]) -> Any:
    thing = bpy.data.objects.new(mesh.name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    while len(mesh.materials) < len(materials):
        mesh.materials.append(None)
    for slot, material in zip(thing.material_slots, materials, strict=False):
        slot.link = "OBJECT"
        slot.material = material
    return thing


class _Shader:
    """A material's nodes, put together."""

    def __init__(self, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.nodes = self.material.node_tree.nodes
        self.surface = self.nodes["Principled BSDF"]

    def link(self, start: Any, end: Any) -> None:
        self.material.node_tree.links.new(start, end)

    def node(self, kind: str, **values: Any) -> Any:
        """A node of that kind, with attributes and inputs (`in_0=...` by number, underscores for spaces by name)."""
        node = self.nodes.new(kind)
        for name, value in values.items():
            if name.startswith("in_"):
                key = name[3:]
                node.inputs[int(key) if key.isdigit() else key.replace("_", " ")].default_value = value
            else:
                setattr(node, name, value)
        return node

    def picture(self, picture: Image, *, repeat: bool) -> Any:
        """A node that shows a picture (BGR) by the mesh's coordinates."""
        height, width = picture.shape[:2]
        image = bpy.data.images.new("picture", width, height, float_buffer=True, is_data=True)
        image.pixels.foreach_set(to_linear(picture).ravel())
        image.update()
        node = self.node("ShaderNodeTexImage", image=image, extension="REPEAT" if repeat else "EXTEND")
        self.link(node.outputs["Color"], self.surface.inputs["Base Color"])
        return node

    def bump(self, height: Any, strength: float, distance_mm: float) -> None:
        """Make the surface uneven by a node's output."""
        bump = self.node("ShaderNodeBump", in_Strength=strength, in_Distance=distance_mm * _SCALE)
        self.link(height, bump.inputs["Height"])
        self.link(bump.outputs["Normal"], self.surface.inputs["Normal"])


def _painted(name: str, paint: Floats, made: Material) -> Any:
    """A painted, stained, metal or plastic surface; the grain of wood shows through thin paint."""
    shader = _Shader(name)
    surface = shader.surface
    surface.inputs["Base Color"].default_value = (*_rgb(paint), 1)
    surface.inputs["Roughness"].default_value = made.roughness
    surface.inputs["Metallic"].default_value = made.metallic
    surface.inputs["Coat Weight"].default_value = made.coat
    surface.inputs["Coat Roughness"].default_value = 0.12
    if made.grain <= 0 and made.pores <= 0:
        return shader.material
    where = shader.node("ShaderNodeTexCoord")
    other = shader.node("ShaderNodeObjectInfo")
    shift = shader.node("ShaderNodeVectorMath", operation="ADD")
    shader.link(where.outputs["Object"], shift.inputs[0])
    shader.link(other.outputs["Random"], shift.inputs[1])
    grain = shader.node("ShaderNodeMapping", in_Scale=(10.0, 60.0, 110.0))
    shader.link(shift.outputs["Vector"], grain.inputs["Vector"])
    noise = shader.node("ShaderNodeTexNoise", in_Scale=1.0, in_Detail=2.0)
    shader.link(grain.outputs["Vector"], noise.inputs["Vector"])
    bare = tuple(0.75 * part + 0.25 * wood for part, wood in zip(_rgb(paint), _WOOD, strict=True))
    deep = tuple(max(part * (1 - 1.6 * made.grain), 0.0) for part in _rgb(paint))
    thin = tuple(part + (wood - part) * min(1.5 * made.grain, 1) for part, wood in zip(_rgb(paint), bare, strict=True))
    ramp = shader.node("ShaderNodeValToRGB")
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[0].color = 0.3, (*deep, 1)
    ramp.color_ramp.elements[1].position, ramp.color_ramp.elements[1].color = 0.72, (*thin, 1)
    middle = ramp.color_ramp.elements.new(0.5)
    middle.color = (*_rgb(paint), 1)
    shader.link(noise.outputs["Fac"], ramp.inputs["Fac"])
    shader.link(ramp.outputs["Color"], surface.inputs["Base Color"])
    if made.pores > 0.05:
        shader.bump(noise.outputs["Fac"], 0.5 * made.pores, 0.5)
    return shader.material


def _printed(name: str, picture: Image, roughness: float, bump: tuple[float, float], *, repeat: bool = False) -> Any:
    """A surface that shows a picture; `bump` is how uneven it is and how many mm the unevenness is wide."""
    shader = _Shader(name)
    shader.picture(picture, repeat=repeat)
    shader.surface.inputs["Roughness"].default_value = roughness
    strength, width = bump
    if strength > 0.02:
        where = shader.node("ShaderNodeTexCoord")
        noise = shader.node("ShaderNodeTexNoise", in_Scale=1 / (width * _SCALE), in_Detail=1.0)
        shader.link(where.outputs["Object"], noise.inputs["Vector"])
        shader.bump(noise.outputs["Fac"], strength, 0.3)
    return shader.material


def _plain(name: str, rgb: Rgb, roughness: float, metallic: float = 0.0) -> Any:
    surface = _Shader(name)
    surface.surface.inputs["Base Color"].default_value = (*rgb, 1)
    surface.surface.inputs["Roughness"].default_value = roughness
    surface.surface.inputs["Metallic"].default_value = metallic
    return surface.material


def _add_pieces(scene: WorldScene) -> None:
    bodies, materials = scene.box.bodies, scene.box.materials
    meshes = {kind: _mesh(kind, body.points, body.faces, body.tones, 38) for kind, body in bodies.items()}
    faces = {key: _painted("-".join(key), paint, materials[key[0]]) for key, paint in scene.scene.box.paints.items()}
    others = {
        kind: [None if paint is None else _painted(f"{kind} {part}", paint, made) for part, paint in parts]
        for kind, made in materials.items()
        for parts in [(("lower", made.lower), ("side", made.side))]
    }
    for pose in scene.poses:
        kind = pose.piece.kind
        own = faces[kind, pose.piece.colour]
        lower, side = others[kind]
        thing = _put(meshes[kind], (own, lower or own, side or own))
        place = set_down(bodies[kind], pose, np.zeros((1, 3)))[0]
        matrix = np.eye(4)
        matrix[:3, :3] = _FLIP @ rotation(pose) @ _FLIP
        matrix[:3, 3] = _FLIP @ place * _SCALE
        thing.matrix_world = Matrix(matrix.tolist())


def _add_extra(body: Body, points: Reals, rgb: Rgb, kind: str) -> None:
    metal = 1.0 if kind == "coin" else 0.0
    mesh = _mesh(kind, points, body.faces, [0] * len(body.faces), 38)
    _put(mesh, (_plain(kind, rgb, 0.35 if kind in ("coin", "mug") else 0.6, metal),))


def _add_flat(scene: WorldScene, art: Art) -> None:
    plain = scene.scene
    rough = 0.75 - 0.55 * plain.light.tile_gloss
    top = _printed("tiles", tile_atlas(scene, art), rough, (0.35 * scene.linen, 0.7))
    _put(_textured("tiles", tile_mesh(scene)), (top, _plain("edge", _CARD_EDGE, 0.8)))
    table = plain.table
    texture = tabletop(table.kind, np.random.default_rng(table.seed))
    woven = (0.6, 1.6) if table.kind in _CLOTHS else (0.05, 6.0)
    surface = _printed("table", texture, 0.9 if table.kind in _CLOTHS else 0.75 - 2.2 * table.gloss, woven, repeat=True)
    _put(_textured("table", table_mesh(scene)), (surface,))
    for extra in plain.extras:
        body = extra_body(extra)
        if body is None:
            _put(
                _textured("card", card_mesh(card_corners(extra))), (_printed("card", card_picture(extra), 0.5, (0, 1)),)
            )
        else:
            _add_extra(body, on_table(extra, body.points), _rgb(linear(extra.colour)), extra.kind)


def _add_lamp(lamp: LampBody) -> None:
    middle = np.array([BOARD_MM[0] / 2, BOARD_MM[1] / 2, 0.0])
    toward = np.asarray(lamp.place) - middle
    away = float(np.linalg.norm(toward)) * _SCALE
    upright = max(float(toward[2]) / float(np.linalg.norm(toward)), 0.15)
    wanted = np.pi * lamp.share / upright
    kind = {BULB: "POINT", PANEL: "AREA", SPOT: "SPOT"}.get(lamp.form, "SUN")
    light = bpy.data.lights.new(lamp.form, kind)
    light.color = _rgb(lamp.colour)
    if kind == "SUN":
        light.energy, light.angle = wanted, float(np.radians(lamp.size[0]))
    elif kind == "AREA":
        light.energy = wanted * np.pi * away**2
        light.shape, light.size, light.size_y = "RECTANGLE", lamp.size[0] * _SCALE, lamp.size[1] * _SCALE
    else:
        light.energy = wanted * 4 * np.pi * away**2
        light.shadow_soft_size = lamp.size[0] * _SCALE
    if kind == "SPOT":
        reach = 2.4 * np.arctan(float(np.hypot(*BOARD_MM)) / 2 * _SCALE / away)
        light.spot_size, light.spot_blend = float(min(reach, 2.9)), 0.7
    thing = bpy.data.objects.new(lamp.form, light)
    bpy.context.scene.collection.objects.link(thing)
    # Lights shine along their own -z; their x and y may be any two at right angles to it.
    z = _FLIP @ toward / np.linalg.norm(toward)
    x = np.cross([0.0, 0.0, 1.0] if abs(z[2]) < 0.95 else [0.0, 1.0, 0.0], z)
    x /= np.linalg.norm(x)
    matrix = np.eye(4)
    matrix[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    matrix[:3, 3] = _FLIP @ np.asarray(lamp.place) * _SCALE
    thing.matrix_world = Matrix(matrix.tolist())


def _add_light(scene: WorldScene) -> None:
    lighting = scene.lighting
    for lamp in lighting.lamps:
        _add_lamp(lamp)
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", 64
    nodes, links = world.node_tree.nodes, world.node_tree.links
    background = nodes["Background"]
    background.inputs["Strength"].default_value = lighting.ambient
    noise, ramp = nodes.new("ShaderNodeTexNoise"), nodes.new("ShaderNodeValToRGB")
    noise.inputs["Scale"].default_value = 1.7
    colour = np.asarray(_rgb(lighting.ambient_colour))
    low, high = colour * (1 - 0.85 * lighting.uneven), colour * (1 + 0.85 * lighting.uneven)
    ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[0].color = 0.4, (*low, 1)
    ramp.color_ramp.elements[1].position, ramp.color_ramp.elements[1].color = 0.6, (*high, 1)
    links.new(nodes.new("ShaderNodeTexCoord").outputs["Generated"], noise.inputs["Vector"])
    links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], background.inputs["Color"])
    for number, wall in enumerate(lighting.walls):
        turn = 2 * np.pi * (number / 3 + 0.1 * scene.linen)
        across, out = np.array([-np.sin(turn), np.cos(turn), 0.0]), np.array([np.cos(turn), np.sin(turn), 0.0])
        foot = np.array([BOARD_MM[0] / 2, BOARD_MM[1] / 2, 0.0]) + 520 * out
        up = np.array([0.0, 0.0, 700.0])
        corners = [foot - across * _WALL_MM / 2, foot + across * _WALL_MM / 2]
        points = np.array([*corners, corners[1] + up, corners[0] + up])
        thing = _put(_mesh("wall", points, ((0, 1, 2, 3),), (0,), 0), (_plain("wall", _rgb(wall), 0.9),))
        thing.visible_camera = thing.visible_shadow = False


def _add_camera(view: View) -> None:
    width, height = view.size
    focal = float(np.linalg.norm(view.matrix[0, :3] - view.matrix[2, :3] * width / 2))
    inner = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    turn = np.linalg.inv(inner) @ view.matrix[:, :3] @ _FLIP
    camera = bpy.data.cameras.new("phone")
    camera.sensor_fit, camera.sensor_width = "HORIZONTAL", 36.0
    camera.lens = focal * 36 / width
    camera.clip_start, camera.clip_end = 0.05, 500.0
    thing = bpy.data.objects.new("phone", camera)
    bpy.context.scene.collection.objects.link(thing)
    matrix = np.eye(4)
    matrix[:3, :3] = np.column_stack([turn[0], -turn[1], -turn[2]])
    matrix[:3, 3] = _FLIP @ view.eye * _SCALE
    thing.matrix_world = Matrix(matrix.tolist())
    bpy.context.scene.camera = thing


def _settings(size: tuple[int, int], samples: int, seed: int) -> None:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.resolution_percentage = 100
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "32"
    scene.render.image_settings.exr_codec = "NONE"
    cycles = scene.cycles
    cycles.device, cycles.samples, cycles.seed = "CPU", samples, seed & 0x7FFFFFFF
    cycles.use_adaptive_sampling, cycles.adaptive_threshold, cycles.adaptive_min_samples = True, 0.06, 4
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 4, 3, 2
    cycles.transmission_bounces = cycles.volume_bounces = 0
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 4.0
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_input_passes, cycles.denoising_prefilter = "RGB_ALBEDO_NORMAL", "FAST"
    cycles.denoising_quality = "FAST"


@contextmanager
def _silence() -> Iterator[None]:
    """Keep Blender's own lines, which it writes past Python, off the terminal."""
    sys.stdout.flush()
    stdout = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(stdout, 1)
        os.close(nowhere)
        os.close(stdout)


def _result(path: Path) -> Floats:
    image = bpy.data.images.load(str(path))
    width, height = image.size
    flat: NDArray[np.float32] = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(flat)
    return np.ascontiguousarray(flat.reshape(height, width, 4)[::-1, :, 2::-1])


def _traced() -> Floats:
    """The light of Blender's present scene, as it is set."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "light.exr"
        bpy.context.scene.render.filepath = str(path)
        with _silence():
            bpy.ops.render.render(write_still=True)
        return _result(path)


def _traced_near(region: Region, size: tuple[int, int]) -> Floats:
    """The same, sharp within the region alone; the rest is traced small and made larger, for a fraction of the time."""
    render = bpy.context.scene.render
    render.resolution_percentage = _FAR_PERCENT
    light = np.asarray(cv2.resize(_traced(), size, interpolation=cv2.INTER_CUBIC), np.float32)
    render.resolution_percentage = 100
    (width, height), (left, top, right, bottom) = size, region
    render.use_border = render.use_crop_to_border = True
    # Blender rounds down, and counts rows from below.
    render.border_min_x, render.border_max_x = (left + 0.5) / width, (right + 0.5) / width
    render.border_min_y, render.border_max_y = (height - bottom + 0.5) / height, (height - top + 0.5) / height
    light[top:bottom, left:right] = _traced()
    return np.maximum(light, 0)


def trace(scene: WorldScene, art: Art, samples: int, *, near: bool = False) -> Floats:
    """The scene's picture before lens and phone: linear light, BGR float32 (height, width, 3).

    `art` gives the pictures of tiles by the code of their kind. With `near` only what lies around the board is traced
    at full size.
    """
    bpy.ops.wm.read_factory_settings(use_empty=True)
    _settings(scene.size, samples, scene.seed)
    _add_pieces(scene)
    _add_flat(scene, art)
    _add_light(scene)
    _add_camera(scene_view(scene))
    return _traced_near(board_region(scene), scene.size) if near else _traced()
