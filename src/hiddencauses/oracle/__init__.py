"""Exact answers for tiny tables, against which samplers are measured."""
