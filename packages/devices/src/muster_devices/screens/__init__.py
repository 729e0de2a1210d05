"""A simulated device: an app whose screens, elements, transitions, delays and faults come from a YAML file."""
