"""The page of Timeslice as one file, packed, for ``timeslice.widget``; nothing else."""

__version__ = "0.2.0"
