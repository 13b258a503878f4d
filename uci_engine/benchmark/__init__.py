"""Measures speed and scaling by comparisons within one run."""
