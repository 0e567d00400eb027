"""The model: specification, densities, simulation."""
