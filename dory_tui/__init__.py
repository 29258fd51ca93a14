"""The human's side of an AI agent's file-based memory: a morning review and a gate."""

__version__ = "0.1.0"
