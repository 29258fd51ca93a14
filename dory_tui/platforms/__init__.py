"""The agent platforms' own files: where they lie, and the forms of JSON they are written in."""
