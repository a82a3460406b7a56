"""One command a module, each a thin line from arguments through the facade to ``output``."""
