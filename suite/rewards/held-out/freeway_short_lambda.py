from ocatari.ram.freeway import *

reward_function = lambda objects: -objects[0].dy / 6 - any(objects[0].iou(o) for o in objects[2:12])
